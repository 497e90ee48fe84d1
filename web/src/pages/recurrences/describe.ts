// Describes a repetition in words.
import { t } from '$/messages';
import { weekAndDay, type RepetitionType } from './moment';

/** `day` shows a day of the year by locale. */
export function describeRepetition(
  type: RepetitionType,
  moment: string,
  skip: number,
  day: (date: string) => string,
): string {
  const step = skip + 1;
  const weekday = (number: string): string => t.recurrences.weekdays[Number(number) - 1] ?? '';
  if (type === 'daily') return t.recurrences.repetition.daily(step);
  if (type === 'weekly') return t.recurrences.repetition.weekly(step, weekday(moment));
  if (type === 'monthly') return t.recurrences.repetition.monthly(step, moment === 'last' ? null : Number(moment));
  if (type === 'yearly') return t.recurrences.repetition.yearly(step, day(moment));
  const [week, number] = weekAndDay(moment);
  return t.recurrences.repetition.ndom(step, t.recurrences.weeks[week] ?? week, weekday(number));
}
