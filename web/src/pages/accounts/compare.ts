// Compares the reconciled and ticked transactions with the balance on the statement.
import type { Transaction } from '$/api/types';
import type { Day } from '$/days/days';
import { effectOn } from './totals';

export interface Candidate {
  id: string;
  day: Day;
  description: string;
  other: string;
  units: bigint;
}

/** The transactions that can still be ticked: not reconciled and in the account's currency. Opening balances count as reconciled. */
export function listCandidates(splits: Transaction[], accountId: string, currency: string): Candidate[] {
  return splits.flatMap(({ id, attributes: split }) => {
    const change = effectOn(split, accountId, currency);
    if (split.reconciled || split.type === 'Opening balance' || change === null) return [];
    const isSource = String(split.source_id) === accountId;
    return [
      {
        id,
        day: split.date.slice(0, 10),
        description: split.transaction_description ?? split.description,
        other: isSource ? split.destination_name : split.source_name,
        units: change,
      },
    ];
  });
}

export interface AccountBalances {
  balance: bigint;
  marked: bigint;
}

export interface Comparison {
  /** The sum of the ticked transactions. */
  ticked: bigint;
  /** The sum of the reconciled and the ticked transactions. */
  found: bigint;
  /** The balance on the statement minus `found`; null until a balance is typed. */
  difference: bigint | null;
  /** The sum of unreconciled transactions before the first day shown. */
  earlier: bigint;
}

export type ReconcileWarning = 'nothingTicked' | 'agreesAlready' | 'differenceStays';

/** The reason to warn before reconciling, or null. Without a balance the API says what is missing. */
export function findWarning(ticked: number, difference: bigint | null, isBooked: boolean): ReconcileWarning | null {
  if (difference === null || (isBooked && difference !== 0n)) return null;
  if (!ticked) return difference === 0n ? 'agreesAlready' : 'nothingTicked';
  return difference === 0n ? null : 'differenceStays';
}

export function compare(
  balances: AccountBalances,
  shown: Candidate[],
  ticks: ReadonlySet<string>,
  statement: bigint | null,
): Comparison {
  const sum = (of: Candidate[]): bigint => of.reduce((total, one) => total + one.units, 0n);
  const ticked = sum(shown.filter(({ id }) => ticks.has(id)));
  const found = balances.marked + ticked;
  return {
    ticked,
    found,
    difference: statement === null ? null : statement - found,
    earlier: balances.balance - balances.marked - sum(shown),
  };
}
