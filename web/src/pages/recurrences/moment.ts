// The day within a week, month or year: the API's short texts, and what a date suggests.
import { monthOf } from '$/days/days';

export type RepetitionType = 'daily' | 'weekly' | 'ndom' | 'monthly' | 'yearly';

/** 1 is Monday, 7 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

/** The most likely moment of a repetition that begins on this day. */
export function suggestMoment(type: RepetitionType, day: string): string {
  if (type === 'daily' || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return type === 'monthly' ? '1' : '';
  const date = Number(day.slice(8));
  if (type === 'weekly') return String(weekdayOf(day));
  if (type === 'monthly') return monthOf(day).end === day ? 'last' : String(date);
  if (type === 'ndom') return `${Math.ceil(date / 7)},${weekdayOf(day)}`;
  return day;
}

/** `2,3` is the second Wednesday. */
export function weekAndDay(moment: string): [string, string] {
  const [week = '1', day = '1'] = moment.split(',');
  return [week || '1', day || '1'];
}
