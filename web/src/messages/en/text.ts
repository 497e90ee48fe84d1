// Builds numbers with words.
export const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
export const ordinal = (number: number): string =>
  `${number}${{ one: 'st', two: 'nd', few: 'rd', zero: 'th', many: 'th', other: 'th' }[ordinals.select(number)]}`;
