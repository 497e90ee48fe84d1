// Builds numbers with words.

/** A number as the user's region writes it: `1.419`. */
export function whole(count: number): string {
  const locale = typeof document === 'undefined' ? '' : document.documentElement.lang;
  return new Intl.NumberFormat(locale || 'nl').format(count);
}
export const plural = (count: number, one: string, many: string): string =>
  `${whole(count)} ${count === 1 ? one : many}`;
export const ordinal = (number: number): string => `${number}e`;
export const fileSize = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} B`
    : bytes < 1e6
      ? `${(bytes / 1000).toFixed(0)} kB`
      : `${(bytes / 1e6).toFixed(1).replace('.', ',')} MB`;
