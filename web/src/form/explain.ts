// Shows how a typed amount is read, where that is not obvious.
import { t } from '$/messages';
import { explainReading } from '$/money/parse';
import { session } from '$/session/session.svelte';
import { look } from '$/shell/look.svelte';

export function explainAmount(input: string, code: string): string | undefined {
  const found = explainReading(input, code, session.locale);
  if (!found || ('amount' in found && look.hidden)) return undefined;
  return 'amount' in found ? `= ${found.amount}` : t.form.writeLike(found.example);
}
