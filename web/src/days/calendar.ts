// The weeks of a month as a calendar shows them, and how its keys move.
import { addDays, addMonths, monthOf, type Day } from './days';

const WEEK = 7;

const weekdayOf = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/** 1 is Monday and 7 is Sunday; Monday where the browser does not know. */
export function firstWeekday(locale: string): number {
  const found = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  return (found.getWeekInfo?.() ?? found.weekInfo)?.firstDay ?? 1;
}

export function startOfWeek(day: Day, firstDay: number): Day {
  return addDays(day, -((weekdayOf(day) - firstDay + WEEK) % WEEK));
}

/** Whole weeks; the first and the last have days of other months. */
export function weeksOf(day: Day, firstDay: number): Day[][] {
  const { start, end } = monthOf(day);
  const weeks: Day[][] = [];
  for (let first = startOfWeek(start, firstDay); first <= end; first = addDays(first, WEEK))
    weeks.push(Array.from({ length: WEEK }, (_, at) => addDays(first, at)));
  return weeks;
}

/** Where a key leads from a day; null for other keys. */
export function dayAfterKey(
  day: Day,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  firstDay: number,
): Day | null {
  const start = startOfWeek(day, firstDay);
  const months = shiftKey ? 12 : 1;
  const moves: Record<string, Day> = {
    ArrowLeft: addDays(day, -1),
    ArrowRight: addDays(day, 1),
    ArrowUp: addDays(day, -WEEK),
    ArrowDown: addDays(day, WEEK),
    PageUp: addMonths(day, -months),
    PageDown: addMonths(day, months),
    Home: start,
    End: addDays(start, WEEK - 1),
  };
  return moves[key] ?? null;
}
