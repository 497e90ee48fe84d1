// The API's sentences name its fields, for programs and the command line. Here the page has buttons for them.
import { inRegion } from '$/session/sentences';

const HINTS: [RegExp, string][] = [
  [/ \(account_id\)/g, ''],
  [/: import with deleted=again to get it back\.?/g, '.'],
  [/ Undo with force=1 to delete these as well\./g, ''],
];

export function forPeople(sentence: string): string {
  return inRegion(HINTS.reduce((text, [hint, instead]) => text.replace(hint, instead), sentence));
}
