// The choices of a `select` field.
import { session } from '$/session/session.svelte';

export interface Choice {
  value: string;
  text: string;
}

/** By what the API calls them, in the words of the app. */
export function choicesFrom(words: Record<string, string>): Choice[] {
  return Object.entries(words).map(([value, text]) => ({ value, text }));
}

export function currencyChoices(): Choice[] {
  return session.currencies.map(({ code }) => ({ value: code, text: code }));
}
