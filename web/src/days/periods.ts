// Which stretch of days is meant: the period of daily life, or how far a chart looks back?
import { plus, plusMonths, type Day } from './days';

export interface Stretch {
  start: Day;
  end: Day;
}

/** How the preference `viewRange` cuts time; `1M` when it says something else. */
const MONTHS: Record<string, number> = { '1M': 1, '3M': 3, '6M': 6, '1Y': 12 };

/** The period that holds the day. Quarters, halves and years are counted from the first month of the (fiscal) year. */
export function periodOf(viewRange: string, day: Day, yearStart = '01-01'): Stretch {
  if (viewRange === '1D') return { start: day, end: day };
  if (viewRange === '1W') return weekOf(day);
  const months = MONTHS[viewRange] ?? 1;
  if (months === 1) return from(`${day.slice(0, 7)}-01`, 1);
  const firstDay = yearHolding(day, yearStart);
  const passed = Array.from({ length: 12 / months }, (_, at) => plusMonths(firstDay, at * months)).findLast((start) => start <= day);
  return from(passed ?? firstDay, months);
}

function from(start: Day, months: number): Stretch {
  return { start, end: plus(plusMonths(start, months), -1) };
}

function weekOf(day: Day): Stretch {
  const sinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const start = plus(day, -sinceMonday);
  return { start, end: plus(start, 6) };
}

function yearHolding(day: Day, yearStart: string): Day {
  const thisYear = `${day.slice(0, 4)}-${yearStart}`;
  return thisYear <= day ? thisYear : plusMonths(thisYear, -12);
}

/** How far charts look back from today, in months. */
export const LOOKBACKS = { '1m': 1, '3m': 3, '1y': 12, '5y': 60, '20y': 240 } as const;
export type Lookback = keyof typeof LOOKBACKS;

const isDay = (given: string | null): given is Day => given !== null && /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given));

export interface Chosen extends Stretch {
  /** `null`: days of one's own, from and to. */
  lookback: Lookback | null;
}

/** What an address asks for: `range=3m`, or `start` and `end`. Whatever makes no sense is the usual range. */
export function chosen(query: URLSearchParams, today: Day, usual: Lookback = '1y'): Chosen {
  const [start, end] = [query.get('start'), query.get('end')];
  if (isDay(start) && isDay(end) && start <= end) return { lookback: null, start, end };
  const asked = query.get('range') ?? '';
  const lookback = Object.hasOwn(LOOKBACKS, asked) ? (asked as Lookback) : usual;
  return { lookback, start: plus(plusMonths(today, -LOOKBACKS[lookback]), 1), end: today };
}
