// Builds numbers with words.

/** A number as the user's region writes it: `1419`, `14.190`. */
export function whole(count: number): string {
  const locale = typeof document === 'undefined' ? '' : document.documentElement.lang;
  return new Intl.NumberFormat(locale || 'es').format(count);
}
export const plural = (count: number, one: string, many: string): string =>
  `${whole(count)} ${count === 1 ? one : many}`;
/** `80 %`, which no line break divides. */
export const percent = (share: number | string): string => `${share}\u00a0%`;
export const fileSize = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} B`
    : bytes < 1e6
      ? `${(bytes / 1000).toFixed(0)} kB`
      : `${(bytes / 1e6).toFixed(1).replace('.', ',')} MB`;
