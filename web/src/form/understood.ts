// What does a form say beside an amount while it is typed? How it reads it, where that is not plain.
import { t } from '$/messages';
import { reading } from '$/money/typed';
import { session } from '$/session/session.svelte';

export function understood(input: string, code: string): string | undefined {
  const found = reading(input, code, session.locale);
  if (!found) return undefined;
  return 'meant' in found ? `= ${found.meant}` : t.form.writeLike(found.example);
}
