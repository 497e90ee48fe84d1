// The payees that are likely now, from the latest expenses: those of this weekday and hour first.
import type { Transaction } from '$/api/types';
import { daysBetween, type Day } from '$/days/days';

export interface LikelyPayee {
  id: string;
  name: string;
  /** The latest expense with this payee, whose account and labels the next one takes. */
  last: Transaction['attributes'];
}

/** When somebody asks, in their own time zone. */
export interface Moment {
  day: Day;
  hour: number;
}

const HALF_LIFE_DAYS = 45;
const SAME_WEEKDAY = 1.5;
const SAME_HOUR = 3;
const HOURS_NEAR = 1.5;

export function likelyPayees(lines: Transaction[], now: Moment, zone: string, most: number): LikelyPayee[] {
  const found = new Map<string, LikelyPayee & { weight: number }>();
  for (const { attributes: line } of lines) {
    if (line.type !== 'Withdrawal' || line.destination_type !== 'Expense account' || line.identifier > 0) continue;
    const id = String(line.destination_id);
    const known = found.get(id) ?? { id, name: line.destination_name, last: line, weight: 0 };
    if (line.date > known.last.date) known.last = line;
    known.weight += weigh(line, now, zone);
    found.set(id, known);
  }
  return [...found.values()].sort((one, other) => other.weight - one.weight).slice(0, most);
}

/** The hour counts only for what was recorded on its own day; the rest was imported or written up later. */
function weigh(line: Transaction['attributes'], now: Moment, zone: string): number {
  const age = Math.abs(daysBetween(line.date, now.day));
  const recorded = momentOf(new Date(line.created_at), zone);
  const apart = Math.abs(recorded.hour - now.hour);
  const isNear = recorded.day === line.date && Math.min(apart, 24 - apart) <= HOURS_NEAR;
  const isWeekday = age % 7 === 0;
  return 2 ** (-age / HALF_LIFE_DAYS) * (1 + (isWeekday ? SAME_WEEKDAY : 0) + (isNear ? SAME_HOUR : 0));
}

export function momentOf(instant: Date, zone: string): Moment {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(instant);
  const part = (type: string): string => parts.find((one) => one.type === type)!.value;
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    hour: Number(part('hour')) + Number(part('minute')) / 60,
  };
}
