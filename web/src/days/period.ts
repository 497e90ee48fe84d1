// Which days belong together? The period that the user likes to look at, and the ones beside it.
import { monthOf, plus, plusMonths, show, type Day } from './days';

export interface Period {
  start: Day;
  end: Day;
}

const MONTHS: Record<string, number> = { '1M': 1, '3M': 3, '6M': 6, '1Y': 12 };

/** `range` is the preference viewRange: 1D, 1W, 1M, 3M, 6M or 1Y. Weeks begin on Monday. */
export function periodOf(day: Day, range: string): Period {
  if (range === '1D') return { start: day, end: day };
  if (range === '1W') {
    const sinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
    return { start: plus(day, -sinceMonday), end: plus(day, 6 - sinceMonday) };
  }
  const months = MONTHS[range] ?? 1;
  const month = Number(day.slice(5, 7));
  const first = plusMonths(monthOf(day).start, -((month - 1) % months));
  return { start: first, end: plus(plusMonths(first, months), -1) };
}

/** What it is called: a month by its name, a day by its date, the rest by both ends. */
export function titled({ start, end }: Period, range: string, locale: string): string {
  if (range === '1M') return show(start, locale, 'month');
  return start === end ? show(start, locale) : `${show(start, locale)} – ${show(end, locale)}`;
}

export function next(period: Period, range: string): Period {
  return periodOf(plus(period.end, 1), range);
}

export function previous(period: Period, range: string): Period {
  return periodOf(plus(period.start, -1), range);
}
