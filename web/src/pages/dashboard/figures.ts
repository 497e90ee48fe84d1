// Reads the API's summary for the dashboard: per currency, the user's own first, or all of them converted by the API.
import type { components } from '$/api/schema';
import type { Day } from '$/days/days';
import { toUnits, type Sum } from '$/money/money';

type Figure = components['schemas']['SummaryFigure'];
export type Upcoming = components['schemas']['UpcomingItem'];
export type UpcomingPart = components['schemas']['UpcomingPart'];
export type LongOverdue = components['schemas']['LongOverdue'];

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

/** What is expected from today on. A recurrence that pays a bill of the list is omitted, because the two are one line. */
export function filterAhead(upcoming: Upcoming[], today: Day): Upcoming[] {
  const ahead = upcoming.filter(({ date, state }) => date >= today && state !== 'paid' && state !== 'overdue');
  const bills = new Set(ahead.filter(({ kind }) => kind === 'bill').map(({ id, date }) => `${id} ${date}`));
  return ahead.filter(
    ({ kind, counterpart }) => kind === 'bill' || !counterpart || !bills.has(`${counterpart.id} ${counterpart.date}`),
  );
}
