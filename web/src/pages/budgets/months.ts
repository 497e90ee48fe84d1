// The months that the page shows side by side.
import { addMonths, monthOf, type Day } from '$/days/days';
import type { Period } from '$/days/period';

/** Budgets are by month, whatever period the user prefers elsewhere. */
export const BY_MONTH = { range: '1M', newYear: '01-01' };

/** The month before, this one and the next; on a phone only this one. */
export function monthsAround(day: Day, isNarrow: boolean): { start: Day; months: number } {
  const { start } = monthOf(day);
  return isNarrow ? { start, months: 1 } : { start: addMonths(start, -1), months: 3 };
}

/** `2024-05` as days. */
export function daysOf(month: string): Period {
  return monthOf(`${month}-01`);
}

export function monthBefore(month: string): string {
  return addMonths(`${month}-01`, -1).slice(0, 7);
}

/** Whether a limit lasts exactly this month. */
export function isWholeMonth(limit: Period, month: string): boolean {
  const { start, end } = daysOf(month);
  return limit.start === start && limit.end === end;
}

/** Whether a limit has no day in another month. */
export function isWithin(limit: Period, month: string): boolean {
  const { start, end } = daysOf(month);
  return limit.start >= start && limit.end <= end;
}
