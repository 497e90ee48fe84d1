// Shows how a typed amount is read, where that is not obvious.
import { t } from '$/messages';
import { explainReading } from '$/money/parse';
import { session } from '$/session/session.svelte';

export function explainAmount(input: string, code: string): string | undefined {
  const found = explainReading(input, code, session.locale);
  if (!found) return undefined;
  return 'amount' in found ? `= ${found.amount}` : t.form.writeLike(found.example);
}
