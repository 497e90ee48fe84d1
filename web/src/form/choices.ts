// The choices of a `select` field.
import { session } from '$/session/session.svelte';

export interface Choice {
  value: string;
  text: string;
}

/** Choices from texts by API value. */
export function choicesFrom(words: Record<string, string>): Choice[] {
  return Object.entries(words).map(([value, text]) => ({ value, text }));
}

export function currencyChoices(): Choice[] {
  return session.currencies.map(({ code }) => ({ value: code, text: code }));
}
