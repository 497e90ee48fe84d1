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

/** What can still be ticked: not marked, in the account's currency; what an account began with counts as marked. */
export function listCandidates(splits: Transaction[], accountId: string, currency: string): Candidate[] {
  return splits.flatMap(({ id, attributes: split }) => {
    const change = effectOn(split, accountId, currency);
    if (split.reconciled || split.type === 'Opening balance' || change === null) return [];
    const isSource = String(split.source_id) === accountId;
    return [
      {
        id,
        day: split.date.slice(0, 10),
        description: split.description,
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
  /** What was ticked just now. */
  ticked: bigint;
  /** All that was found on statements, with what is ticked. */
  found: bigint;
  /** The statement less what was found; null until there is an amount. */
  difference: bigint | null;
  /** What is not marked and not on the screen: it lies before the first day shown. */
  earlier: bigint;
}

export type ReconcileWarning = 'nothingTicked' | 'agreesAlready' | 'differenceStays';

/** What speaks against marking it so; null when nothing does. Without a balance the API says what is missing. */
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
