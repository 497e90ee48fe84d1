// Describes a repetition in words.
import { seldom } from '$/messages/seldom';
import { weekAndDay, type RepetitionType } from './moment';

/** `day` shows a day of the year by locale. */
export function describeRepetition(
  type: RepetitionType,
  moment: string,
  skip: number,
  day: (date: string) => string,
): string {
  const step = skip + 1;
  const weekday = (number: string): string => seldom.recurrences.weekdays[Number(number) - 1] ?? '';
  if (type === 'daily') return seldom.recurrences.repetition.daily(step);
  if (type === 'weekly') return seldom.recurrences.repetition.weekly(step, weekday(moment));
  if (type === 'monthly') return seldom.recurrences.repetition.monthly(step, moment === 'last' ? null : Number(moment));
  if (type === 'yearly') return seldom.recurrences.repetition.yearly(step, day(moment));
  const [week, number] = weekAndDay(moment);
  return seldom.recurrences.repetition.ndom(step, seldom.recurrences.weeks[week] ?? week, weekday(number));
}
