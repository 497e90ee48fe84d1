// Shows how a typed amount is read, where that is not obvious.
import { t } from '$/messages';
import type { ArithmeticProblem } from '$/money/arithmetic';
import { explainReading } from '$/money/parse';
import { session } from '$/session/session.svelte';
import { look } from '$/shell/look.svelte';

export function explainAmount(input: string, code: string): string | undefined {
  const found = explainReading(input, code, session.locale);
  if (!found || ('amount' in found && look.hidden)) return undefined;
  if ('problem' in found) return explainProblem(found.problem);
  return 'amount' in found ? `${found.isRounded ? '≈' : '='} ${found.amount}` : t.form.writeLike(found.example);
}

/** What is wrong with a formula such as `60+`; undefined when nothing is, or when the text is none. */
export function explainFormula(input: string, code: string): string | undefined {
  const found = explainReading(input, code, session.locale);
  return found && 'problem' in found ? explainProblem(found.problem) : undefined;
}

function explainProblem(problem: ArithmeticProblem): string {
  return problem.kind === 'number' ? t.arithmetic.number(problem.text) : t.arithmetic[problem.kind];
}
