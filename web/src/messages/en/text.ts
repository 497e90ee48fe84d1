// Builds numbers with words, in English.
import { listIn, pluralIn, whole } from '../numbers';

export { fileSize, whole } from '../numbers';

const select = pluralIn('en');
/** `1 bill`, `2 bills`. */
export const plural = (count: number, one: string, other: string): string =>
  `${whole(count)} ${select(count, { one, other })}`;
/** `a, b, and c`. */
export const list = listIn('en-GB');
/** `a, b or c`. */
export const anyOf = listIn('en-GB', 'disjunction');
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
export const ordinal = (number: number): string =>
  `${number}${{ one: 'st', two: 'nd', few: 'rd', zero: 'th', many: 'th', other: 'th' }[ordinals.select(number)]}`;
