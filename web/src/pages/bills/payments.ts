// The transactions of a bill. Splits of one transaction are one payment, with their sum.
import type { Transaction } from '$/api/types';
import { fromUnits, toUnits } from '$/money/money';

export interface Payment {
  /** The id of the first split, which addresses and requests use. */
  id: string;
  journal: number;
  date: string;
  description: string;
  other: string;
  amount: string;
  currency: string;
  decimals: number;
}

/** Keeps the order of the splits. */
export function groupPayments(splits: Transaction[]): Payment[] {
  const journals = new Map<number, Transaction[]>();
  for (const split of splits)
    journals.set(split.attributes.journal_id, [...(journals.get(split.attributes.journal_id) ?? []), split]);
  return [...journals.values()].map(toPayment);
}

export function toPayment(splits: Transaction[]): Payment {
  const { id, attributes: first } = splits[0]!;
  const decimals = first.currency_dp;
  const total = splits
    .filter(({ attributes }) => attributes.currency_id === first.currency_id)
    .reduce((sum, { attributes }) => sum + toUnits(attributes.amount, decimals), 0n);
  return {
    id,
    journal: first.journal_id,
    date: first.date,
    description: first.journal_description,
    other: first.type === 'Deposit' ? first.source_name : first.destination_name,
    amount: fromUnits(total, decimals),
    currency: first.currency_code,
    decimals,
  };
}
