// Shows how a typed amount is read, where that is not obvious.
import { t } from '$/messages';
import { reading } from '$/money/typed';
import { session } from '$/session/session.svelte';

export function understood(input: string, code: string): string | undefined {
  const found = reading(input, code, session.locale);
  if (!found) return undefined;
  return 'meant' in found ? `= ${found.meant}` : t.form.writeLike(found.example);
}
