// The period that the user prefers to look at, and the ones before and after it.
import { monthOf, addDays, addMonths, daysBetween, show, type Day } from './days';

export interface Period {
  start: Day;
  end: Day;
}

/** The user's preferred periods. */
export interface View {
  /** The preference viewRange: 1D, 1W, 1M, 3M, 6M or 1Y. */
  range: string;
  /** The first day of the user's year as MM-DD. Quarters and half-years always follow the calendar. */
  newYear: string;
}

const MONTHS: Record<string, number> = { '1M': 1, '3M': 3, '6M': 6 };
const A_LEAP_YEAR = 2000;

/** A year that begins on 29 February begins on 28 February in other years. */
function newYearOf(year: number, newYear: string): Day {
  return addMonths(`${A_LEAP_YEAR}-${newYear}`, (year - A_LEAP_YEAR) * 12);
}

export function yearOf(day: Day, newYear: string): Period {
  const calendar = Number(day.slice(0, 4));
  const year = newYearOf(calendar, newYear) <= day ? calendar : calendar - 1;
  return { start: newYearOf(year, newYear), end: addDays(newYearOf(year + 1, newYear), -1) };
}

/** Weeks begin on Monday. */
export function periodOf(day: Day, { range, newYear }: View): Period {
  if (range === '1Y') return yearOf(day, newYear);
  if (range === '1D') return { start: day, end: day };
  if (range === '1W') {
    const sinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
    return { start: addDays(day, -sinceMonday), end: addDays(day, 6 - sinceMonday) };
  }
  const months = MONTHS[range] ?? 1;
  const month = Number(day.slice(5, 7));
  const first = addMonths(monthOf(day).start, -((month - 1) % months));
  return { start: first, end: addDays(addMonths(first, months), -1) };
}

/** A month by its name, a day by its date, other periods by first and last day. */
export function showPeriod({ start, end }: Period, { range }: View, locale: string): string {
  if (range === '1M') return show(start, locale, 'month');
  return start === end ? show(start, locale) : `${show(start, locale)} – ${show(end, locale)}`;
}

export function nextPeriod(period: Period, view: View): Period {
  return periodOf(addDays(period.end, 1), view);
}

export function previousPeriod(period: Period, view: View): Period {
  return periodOf(addDays(period.start, -1), view);
}

/** The share of the period that has passed at the end of today. Null if today is not in it. */
export function paceOf({ start, end }: Period, today: Day): number | null {
  if (today < start || today > end) return null;
  return (daysBetween(start, today) + 1) / (daysBetween(start, end) + 1);
}
