// Sentences of the server, as the person's region writes amounts and days.
import { writeForRegion } from '$/money/sentences';
import { session } from './session.svelte';

export const inRegion = (text: string): string =>
  writeForRegion(text, session.locale, (code) => session.currencies.some((one) => one.code === code));
