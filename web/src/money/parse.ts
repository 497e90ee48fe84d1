// Reads a typed amount the way people write numbers in their region; an ambiguous amount is never guessed.
import { show, toUnits, type Currency } from './money';

type Mark = '.' | ',';

const GROUPED: Record<Mark, RegExp> = {
  '.': /^[+-]?\d{1,3}(\.\d{3})+$/,
  ',': /^[+-]?(\d{1,3}(,\d{3})+|\d{1,2}(,\d{2})+,\d{3})$/,
};
/** All of these are minus signs; some languages write `−5`. */
const DASHES = /[\u2010-\u2013\u2212\ufe63\uff0d]/g;
/** Invisible marks that set the direction of text. */
const DIRECTIONS = /[\u061c\u200e\u200f]/g;
/** Of a currency, and the point that shortens it: `kr. 500`. In `$.50` and `EUR .50` the point is the amount's. */
const NAME = String.raw`(?:[\p{Sc}\s]|\p{Ll}\.|[\p{L}\p{M}](?:\.(?!\d))?)*`;
/** `EUR.50` could be fifty or a half: there the name does not end. */
const NAME_BEFORE = new RegExp(String.raw`^\s*([+-]?)${NAME}(?<!\p{L}(?=[.,]))`, 'u');
const NAME_BEHIND = new RegExp(`${NAME}$`, 'u');
/** `10k` is not ten, and `10 m` might mean a million: neither is guessed. */
const SHORTENED = /\d\s*(?:k|m|b|mn|bn|tsd|mio|mrd|mld)\.?\s*$/i;
const USUAL_DECIMALS = 2;
/** The most decimals that may follow when no currency is named. */
const ANY_DECIMALS = 3;

let marks = { decimal: '.', group: ',' };
let known = new Map<string, number>();

/** How the reader writes numbers, and the currencies there are. */
export function setNumberFormat(locale: string, currencies: Currency[] = []): void {
  const parts = new Intl.NumberFormat(locale).formatToParts(1234567.5);
  const mark = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  marks = { decimal: mark('decimal'), group: mark('group') };
  known = new Map(currencies.map(({ code, decimals }) => [code, decimals]));
}

export function decimalsOf(code: string): number {
  return known.get(code) ?? USUAL_DECIMALS;
}

/**
 * `1.234,50`, `1,234.50` and `1234.5` all mean the same. Null when it is no amount.
 *
 * A mark before three digits groups where the reader's numbers are grouped so. With a point that holds only where three decimals
 * cannot be meant: the API writes its own decimals after a point.
 */
export function parseAmount(input: string, decimals = ANY_DECIMALS): string | null {
  if (SHORTENED.test(input)) return null;
  const given = stripCurrency(input);
  const at = Math.max(given.lastIndexOf('.'), given.lastIndexOf(','));
  if (at < 0 || !/\d/.test(given)) return /^[+-]?\d+$/.test(given) ? given : null;
  const [mark, other] = (given[at] === '.' ? ['.', ','] : [',', '.']) as [Mark, Mark];
  const whole = given.slice(0, at);
  if (GROUPED[mark].test(given) && (whole.includes(mark) || isGrouping(given, mark, decimals)))
    return given.replaceAll(mark, '');
  if (whole.includes(mark) || (whole.includes(other) && !GROUPED[other].test(whole))) return null;
  const read = `${whole.replaceAll(other, '').replace(/^[+-]?$/, '$&0')}.${given.slice(at + 1)}`;
  return /^[+-]?\d+\.\d*$/.test(read) ? read.replace(/\.$/, '') : null;
}

/** Without what names the currency. A sign behind the amount, and brackets around it, stay, so that nothing below zero is read as above. */
function stripCurrency(input: string): string {
  const written = input.replace(DIRECTIONS, '').replace(DASHES, '-');
  return written
    .replace(NAME_BEFORE, '$1')
    .replace(NAME_BEHIND, '')
    .replace(/[\s'’]/g, '');
}

function isGrouping(given: string, mark: Mark, decimals: number): boolean {
  return mark === marks.group && !/^[+-]?0/.test(given) && (mark === ',' || decimals < ANY_DECIMALS);
}

/** In units of the coin; null when it is no amount (yet), or finer than the coin. */
export function parseUnits(input: string, decimals: number): bigint | null {
  const amount = parseAmount(input, decimals);
  try {
    return amount === null ? null : toUnits(amount, decimals);
  } catch {
    return null;
  }
}

/** What goes to the API: as typed where it can be read, else as it is, so that the API says what is wrong with it. */
export function toApiAmount(input: string, code?: string): string {
  return parseAmount(input, code === undefined ? undefined : decimalsOf(code)) ?? input.trim();
}

/** How the text is read where that is not obvious, or an example to follow. */
export function explainReading(
  input: string,
  code: string,
  locale: string,
): { meant: string } | { example: string } | null {
  const given = input.trim();
  const decimals = decimalsOf(code);
  const isPlain =
    /^[+-]?\d+$/.test(given) || (/^[+-]?\d+[.,]\d{1,2}$/.test(given) && (given.includes('.') || marks.decimal === ','));
  const amount = parseUnits(given, decimals);
  if (!given || (isPlain && amount !== null)) return null;
  if (amount !== null) return { meant: show(amount, { code, decimals }, locale) };
  return {
    example: new Intl.NumberFormat(locale, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      useGrouping: 'always',
    }).format(decimals ? 1234.5 : 1234),
  };
}
