// Sentences of the server, for people.
import { writeForRegion } from '$/money/sentences';
import { session } from './session.svelte';

/** Writes amounts and days as the person's region does. */
export const inRegion = (text: string): string =>
  writeForRegion(text, session.locale, (code) => session.currencies.some((one) => one.code === code));

/** What only programs can do, in any language. The page has buttons for it. */
const HINTS: [RegExp, string][] = [
  [/ \(account_id\)/g, ''],
  [/: [^.:]*deleted=again[^.]*\.?/g, '.'],
  [/ [^.]*\b(force|with_later)=1\b[^.]*\./g, ''],
];

export function forPeople(sentence: string): string {
  return inRegion(HINTS.reduce((text, [hint, instead]) => text.replace(hint, instead), sentence));
}
