// The range of a chart in the address: a preset or chosen days.
import { addDays, addMonths, type Day } from './days';
import type { Period } from './period';

/** How far charts look back from today, in months. */
export const LOOKBACKS = { '1m': 1, '3m': 3, '1y': 12, '5y': 60, '20y': 240 } as const;
export type Lookback = keyof typeof LOOKBACKS;

/** Addresses may be typed by hand, so they are checked. */
export function isDay(given: string | null): given is Day {
  return given !== null && /^[1-9]\d{3}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given));
}

export interface ChartRange extends Period {
  /** Null when the user chose the days. */
  lookback: Lookback | null;
}

/** Reads `range=3m`, or `start` and `end`, from the address. Anything invalid gives the default range. */
export function rangeInAddress(query: URLSearchParams, today: Day, usual: Lookback = '1y'): ChartRange {
  const [start, end] = [query.get('start'), query.get('end')];
  if (isDay(start) && isDay(end) && start <= end) return { lookback: null, start, end };
  const given = query.get('range') ?? '';
  const lookback = Object.hasOwn(LOOKBACKS, given) ? (given as Lookback) : usual;
  return { lookback, start: addDays(addMonths(today, -LOOKBACKS[lookback]), 1), end: today };
}
