// Builds numbers with words, in German.
import { listIn, pluralIn, whole } from '../numbers';

export { fileSize, whole } from '../numbers';

const select = pluralIn('de');
/** `1 Rechnung`, `2 Rechnungen`. */
export const plural = (count: number, one: string, other: string): string =>
  `${whole(count)} ${select(count, { one, other })}`;
/** `a, b und c`. */
export const list = listIn('de');
/** `a, b oder c`. */
export const anyOf = listIn('de', 'disjunction');
export const ordinal = (number: number): string => `${number}.`;
