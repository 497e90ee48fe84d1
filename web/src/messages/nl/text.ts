// Builds numbers with words, in Dutch.
import { listIn, pluralIn, whole } from '../numbers';

export { fileSize, whole } from '../numbers';

const select = pluralIn('nl');
/** `1 vaste last`, `2 vaste lasten`. */
export const plural = (count: number, one: string, other: string): string =>
  `${whole(count)} ${select(count, { one, other })}`;
/** `a, b of c`. */
export const anyOf = listIn('nl', 'disjunction');
/** `3e`. */
export const ordinal = (number: number): string => `${number}e`;
