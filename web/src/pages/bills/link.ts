// Links a transaction to a bill, or unlinks it. The API takes the whole transaction, so all of it is sent.
import { put, read, type Answer } from '$/api/client';
import type { SplitBody, Transaction, TransactionBody } from '$/api/types';
import { withoutSign } from '$/money/money';

type Split = Transaction['attributes'];

function splitBody(split: Split, several: boolean): SplitBody {
  return {
    amount: withoutSign(split.amount, split.currency_dp),
    currency_id: split.currency_id,
    foreign_amount:
      split.foreign_amount === null ? null : withoutSign(split.foreign_amount, split.foreign_currency_dp ?? 2),
    foreign_currency_id: split.foreign_currency_id,
    source_id: split.source_id,
    destination_id: split.destination_id,
    category_id: split.category_id,
    budget_id: split.budget_id,
    reconciled: split.reconciled,
    description: several ? split.transaction_description : null,
  };
}

/** An empty `bill` unlinks it. */
export function withBill(splits: Transaction[], bill: string): TransactionBody & { transactions: SplitBody[] } {
  const first = splits[0]!.attributes;
  return {
    type: first.type.toLowerCase() as TransactionBody['type'],
    date: first.date,
    description: first.journal_description,
    notes: first.notes,
    tags: first.tags ?? '',
    bill_id: bill,
    internal_reference: first.internal_reference,
    interest_date: first.interest_date,
    book_date: first.book_date,
    process_date: first.process_date,
    due_date: first.due_date,
    payment_date: first.payment_date,
    invoice_date: first.invoice_date,
    transactions: splits.map(({ attributes }) => splitBody(attributes, splits.length > 1)),
  };
}

/** Reads the transaction again first, so that no change made meanwhile is lost. */
export async function setBill(transaction: string, bill: string): Promise<Answer<unknown>> {
  const path = { id: transaction };
  const { data, etag } = await read('/api/v1/transactions/{id}', { path });
  return put('/api/v1/transactions/{id}', withBill(data.data, bill), { path, match: etag });
}
