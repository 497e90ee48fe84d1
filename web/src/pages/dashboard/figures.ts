// Reads the API's summary for the dashboard: per currency, the user's own first, or all of them converted by the API.
import type { components } from '$/api/schema';
import type { AvailableBudget } from '$/api/types';
import type { Day } from '$/days/days';
import { share, fromUnits, toUnits, type Sum } from '$/money/money';

type Figure = components['schemas']['SummaryFigure'];
export type Upcoming = components['schemas']['UpcomingItem'];

/** The user's main currency comes first, the others by code. */
export function sortOwnFirst<T extends { code: string }>(things: T[], ownCode: string): T[] {
  return [...things].sort(
    (one, other) => Number(other.code === ownCode) - Number(one.code === ownCode) || one.code.localeCompare(other.code),
  );
}

/** `what` is the part of the key before `-in-EUR`. Spending is returned as a positive amount. */
export function sumsFor(all: Figure[], what: 'spent' | 'earned' | 'balance' | 'bills-unpaid', ownCode: string): Sum[] {
  const found = all
    .filter(({ key }) => key.startsWith(`${what}-in-`))
    .map((one) => ({
      code: one.currency_code,
      decimals: one.currency_decimal_places,
      units: toUnits(one.monetary_value, one.currency_decimal_places),
    }))
    .map((sum) => (what === 'spent' ? { ...sum, units: -sum.units } : sum));
  return sortOwnFirst(found, ownCode);
}

export interface ConvertedSum extends Sum {
  /** The day of the oldest rate that was used. */
  rateDate: string | null;
  /** The codes of the currencies without a rate, which are not included. */
  missing: string[];
}

/** All currencies as one; null if the summary was not asked for it, or has nothing of the kind. */
export function convertedFor(all: Figure[], what: 'spent' | 'earned' | 'balance'): ConvertedSum | null {
  const one = all.find(({ key }) => key.startsWith(`${what}-converted-to-`));
  if (!one) return null;
  const decimals = one.currency_decimal_places;
  const units = toUnits(one.monetary_value, decimals);
  return {
    code: one.currency_code,
    decimals,
    units: what === 'spent' ? -units : units,
    rateDate: one.rate_date ?? null,
    missing: one.missing ?? [],
  };
}

export interface AvailableSum extends Sum {
  /** The amount before anything was spent. */
  amount: bigint;
  spent: bigint;
  share: number;
}

/** Adds up the budgets of each currency. `units` is the amount left. */
export function sumAvailable(budgets: Pick<AvailableBudget, 'attributes'>[], ownCode: string): AvailableSum[] {
  const found = new Map<string, { code: string; decimals: number; amount: bigint; spent: bigint }>();
  for (const { attributes: one } of budgets) {
    const code = one.currency_code;
    const sum = found.get(code) ?? { code, decimals: one.currency_dp, amount: 0n, spent: 0n };
    const spent = toUnits(one.spent, sum.decimals);
    sum.amount += toUnits(one.amount, sum.decimals);
    sum.spent += spent < 0n ? -spent : spent;
    found.set(code, sum);
  }
  const all = [...found.values()].map((sum) => ({
    ...sum,
    units: sum.amount - sum.spent,
    share: share(fromUnits(sum.spent, sum.decimals), fromUnits(sum.amount, sum.decimals)),
  }));
  return sortOwnFirst(all, ownCode);
}

/** The bills that are due or overdue, oldest first. */
export function filterDue(upcoming: Upcoming[]): Upcoming[] {
  return upcoming.filter(({ kind, state }) => kind === 'bill' && (state === 'due' || state === 'overdue'));
}

/** What is expected from today on. */
export function filterAhead(upcoming: Upcoming[], today: Day): Upcoming[] {
  return upcoming.filter(({ date, state }) => date >= today && state !== 'paid' && state !== 'overdue');
}
