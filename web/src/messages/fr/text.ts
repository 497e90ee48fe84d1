// Builds numbers with words.

/** A number as the user's region writes it: `1 419`. */
export function whole(count: number): string {
  const locale = typeof document === 'undefined' ? '' : document.documentElement.lang;
  return new Intl.NumberFormat(locale || 'fr').format(count);
}
/** Zero is singular in French, too. */
export const isSingular = (count: number): boolean => Math.abs(count) < 2;
export const plural = (count: number, one: string, many: string): string =>
  `${whole(count)} ${isSingular(count) ? one : many}`;
export const ordinal = (number: number): string => `${number}${number === 1 ? 'er' : 'e'}`;
/** `de mars`, `d’avril`. */
export const de = (name: string): string => (/^[aeiou]/i.test(name.normalize('NFD')) ? `d’${name}` : `de ${name}`);
export const fileSize = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} o`;
  if (bytes < 1e6) return `${(bytes / 1000).toFixed(0)} ko`;
  return `${(bytes / 1e6).toFixed(1).replace('.', ',')} Mo`;
};
