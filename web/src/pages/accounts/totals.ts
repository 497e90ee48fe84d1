// Totals of accounts per currency, never converted, and the effect of a transaction on one account.
import type { ExactNumber } from '$/api/exact';
import type { Account, Transaction } from '$/api/types';
import { toUnits, type Sum } from '$/money/money';
import type { AccountFacts } from './kinds';

export function totalsByCurrency(accounts: Iterable<Pick<Account, 'attributes'>>): Sum[] {
  const found = new Map<string, Sum>();
  for (const { attributes } of accounts) {
    const code = attributes.currency_code;
    const total = found.get(code) ?? { code, decimals: attributes.currency_dp, units: 0n };
    total.units += toUnits(attributes.current_balance, total.decimals);
    found.set(code, total);
  }
  return [...found.values()].sort((one, other) => one.code.localeCompare(other.code));
}

type Split = Pick<
  Transaction['attributes'],
  | 'amount'
  | 'currency_code'
  | 'currency_dp'
  | 'foreign_amount'
  | 'foreign_currency_code'
  | 'foreign_currency_dp'
  | 'source_id'
  | 'destination_id'
>;
const positive = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/** The change of the account's balance, in the account's currency; null when the transaction is in another currency. */
export function effectOn(split: Split, accountId: string, currency: string): bigint | null {
  let size: bigint | null = null;
  if (split.currency_code === currency) size = positive(toUnits(split.amount, split.currency_dp));
  else if (split.foreign_currency_code === currency && split.foreign_amount !== null)
    size = positive(toUnits(split.foreign_amount, split.foreign_currency_dp ?? 2));
  if (size === null) return null;
  return String(split.source_id) === accountId ? -size : size;
}

export interface DebtSummary {
  now: bigint;
  first: bigint;
  /** Paid back so far; negative when the debt has grown. */
  paid: bigint;
  /** 0 to 1, for a bar. */
  share: number;
}

export function summarizeDebt(facts: AccountFacts): DebtSummary {
  const decimals = facts.currency_dp;
  const now = toUnits(facts.virtual_balance, decimals) - toUnits(facts.current_balance, decimals);
  const first = toUnits(facts.liability_amount ?? 0, decimals);
  const paid = first - now;
  return { now, first, paid, share: first > 0n && paid > 0n ? Number((paid * 1000n) / first) / 1000 : 0 };
}

const RATE_DECIMALS = 12;

/** The interest for one period on the current debt, rounded to the nearest cent. */
export function interestOf(owedNow: bigint, percent: ExactNumber): bigint {
  const scale = 100n * 10n ** BigInt(RATE_DECIMALS);
  return owedNow > 0n ? (owedNow * toUnits(percent, RATE_DECIMALS) + scale / 2n) / scale : 0n;
}
