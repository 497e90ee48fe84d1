// Gathers what the calendar shows of each day.
import type { ExactNumber } from '$/api/exact';
import type { components } from '$/api/schema';
import { firstWeekday, startOfWeek, weeksOf } from '$/days/calendar';
import { addDays, addMonths, monthOf, type Day } from '$/days/days';
import { groupByDay } from '$/days/group';
import type { Period } from '$/days/period';

export type Expected = components['schemas']['UpcomingItem'];
type Flows = components['schemas']['CashFlow'];
type Worth = components['schemas']['NetWorth'];
/** The limits of budgets, and the budgets. */
export interface Limits {
  data: { attributes: { budget_id: number; end_date: Day } }[];
  included?: { id: string; attributes: object }[];
}

export const VIEWS = ['month', 'week', 'agenda'] as const;
export type View = (typeof VIEWS)[number];

export interface DaySum {
  code: string;
  decimals: number;
  amount: ExactNumber;
}

export interface CalendarDay {
  day: Day;
  expected: Expected[];
  /** The names of the budgets whose limit ends on this day. */
  ending: { id: string; name: string }[];
  spent: DaySum[];
  earned: DaySum[];
  /** The net worth at the end of the day, in the person's own currency, if something happened on it. */
  worth: DaySum | null;
}

/** The days that a view shows: whole weeks, or in the agenda the month without the days around it. */
export function rangeOf(view: View, day: Day, locale: string): Period {
  if (view === 'agenda') return monthOf(day);
  const firstDay = firstWeekday(locale);
  if (view === 'week') {
    const start = startOfWeek(day, firstDay);
    return { start, end: addDays(start, 6) };
  }
  const weeks = weeksOf(day, firstDay);
  return { start: weeks[0]![0]!, end: weeks.at(-1)!.at(-1)! };
}

export function step(view: View, day: Day, by: 1 | -1): Day {
  return view === 'week' ? addDays(day, 7 * by) : addMonths(monthOf(day).start, by);
}

/** The day that a key moves an item to: Alt and the arrows, as in a calendar on paper. */
export function dayMovedTo(day: Day, { key, altKey }: Pick<KeyboardEvent, 'key' | 'altKey'>): Day | null {
  const by = altKey ? { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[key] : undefined;
  return by ? addDays(day, by) : null;
}

const isNone = (amount: ExactNumber): boolean => !/[1-9]/.test(String(amount));

/** A bill that a recurrence pays appears once, as the recurrence, which is what one can move. */
export function gather(
  { start, end }: Period,
  expected: Expected[],
  flows: Flows,
  worth: Worth | null,
  limits: Limits,
  currency: string,
): CalendarDay[] {
  const own = worth?.data.find(({ currency_code }) => currency_code === currency);
  const byDay = groupByDay(
    expected.filter(({ kind, counterpart }) => kind !== 'bill' || !counterpart),
    ({ date }) => date,
  );
  const names = new Map(
    (limits.included ?? []).map(({ id, attributes }) => [id, (attributes as { name: string }).name]),
  );
  const days: CalendarDay[] = [];
  for (let day = start; day <= end; day = addDays(day, 1)) {
    const sums = flows.data.map(({ currency_code: code, currency_dp: decimals, entries }) => {
      const entry = entries.find((each) => each.start === day);
      return { code, decimals, spent: entry?.spent ?? 0, earned: entry?.earned ?? 0 };
    });
    const hasMoved = sums.some(({ spent, earned }) => !isNone(spent) || !isNone(earned));
    const amount = hasMoved && own?.entries.find(({ date }) => date === day)?.amount;
    days.push({
      day,
      expected: byDay.get(day) ?? [],
      ending: limits.data
        .filter(({ attributes }) => attributes.end_date === day)
        .map(({ attributes }) => ({
          id: String(attributes.budget_id),
          name: names.get(String(attributes.budget_id)) ?? '',
        })),
      spent: sums.filter(({ spent }) => !isNone(spent)).map(({ spent, ...sum }) => ({ ...sum, amount: spent })),
      earned: sums.filter(({ earned }) => !isNone(earned)).map(({ earned, ...sum }) => ({ ...sum, amount: earned })),
      worth: amount ? { code: currency, decimals: own!.currency_dp, amount } : null,
    });
  }
  return days;
}
