// The choices of a `select` field.
import { t } from '$/messages';
import { session } from '$/session/session.svelte';
import { usedCurrencies } from './currencies.svelte';

export interface Choice {
  value: string;
  text: string;
  /** The heading under which it is listed. */
  group?: string;
}

/** Choices from texts by API value. */
export function choicesFrom(words: Record<string, string>): Choice[] {
  return Object.entries(words).map(([value, text]) => ({ value, text }));
}

/** By code and name; those that the user uses come first. */
export function currencyChoices(): Choice[] {
  const used = usedCurrencies.codes;
  const rank = (code: string): number => (used.includes(code) ? used.indexOf(code) : used.length);
  return session.currencies
    .toSorted((one, other) => rank(one.code) - rank(other.code))
    .map(({ code, name }) => ({
      value: code,
      text: `${code} – ${name}`,
      group: used.includes(code) ? t.currencies.used : t.currencies.others,
    }));
}

/** The choices by heading, in order; choices without one come under an empty heading. */
export function byGroup(choices: Choice[]): [string, Choice[]][] {
  const groups = new Map<string, Choice[]>();
  for (const choice of choices) {
    const group = choice.group ?? '';
    groups.set(group, [...(groups.get(group) ?? []), choice]);
  }
  return [...groups];
}
