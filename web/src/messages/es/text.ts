// Builds numbers with words, in Spanish. Days of a month need no ordinals: `el día 3`.
import { listIn, pluralIn, whole } from '../numbers';

export { fileSize, whole } from '../numbers';

const select = pluralIn('es');
/** `1 recibo`, `2 recibos`. */
export const plural = (count: number, one: string, other: string): string =>
  `${whole(count)} ${select(count, { one, other })}`;
/** `a, b o c`. */
export const anyOf = listIn('es', 'disjunction');
/** `80 %`, which no line break divides. */
export const percent = (share: number | string): string => `${share}\u00a0%`;
