// Builds numbers with words, in French.
import { fileSize as inBytes, listIn, whole } from '../numbers';

export { whole } from '../numbers';

/** Zero is singular, too. */
export const isSingular = (count: number): boolean => Math.abs(count) < 2;
/** `1 facture`, `2 factures`. */
export const plural = (count: number, one: string, other: string): string =>
  `${whole(count)} ${isSingular(count) ? one : other}`;
/** `a, b et c`. */
export const list = listIn('fr');
/** `a, b ou c`. */
export const anyOf = listIn('fr', 'disjunction');
/** `1er`, `2e`. */
export const ordinal = (number: number): string => `${number}${number === 1 ? 'er' : 'e'}`;
/** `de mars`, `d’avril`. */
export const de = (name: string): string => (/^[aeiou]/i.test(name.normalize('NFD')) ? `d’${name}` : `de ${name}`);
/** An octet is a byte: `1,2 Mo`. */
export const fileSize = (bytes: number): string => inBytes(bytes).replace(/ (\w?)B$/, '\u202f$1o');
