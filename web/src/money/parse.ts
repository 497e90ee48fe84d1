// Parses typed amounts by the number format of the user's region; ambiguous amounts are refused.
import { calculate, isFormula, type ArithmeticProblem, type Calculation } from './arithmetic';
import { fromUnits, show, toUnits, type Currency } from './money';

type Mark = '.' | ',';

const GROUPED: Record<Mark, RegExp> = {
  '.': /^[+-]?\d{1,3}(\.\d{3})+$/,
  ',': /^[+-]?(\d{1,3}(,\d{3})+|\d{1,2}(,\d{2})+,\d{3})$/,
};
/** All of these are minus signs; some languages write `−5`. */
const DASHES = /[\u2010-\u2013\u2212\ufe63\uff0d]/g;
/** Invisible marks that set the direction of text. */
const DIRECTIONS = /[\u061c\u200e\u200f]/g;
/** The name of a currency, with the point of an abbreviation: `kr. 500`. In `$.50` and `EUR .50` the point belongs to the amount. */
const NAME = String.raw`(?:[\p{Sc}\s]|\p{Ll}\.|[\p{L}\p{M}](?:\.(?!\d))?)*`;
/** `EUR.50` could mean 50 or 0.50, so it does not match. */
const NAME_BEFORE = new RegExp(String.raw`^\s*([+-]?)${NAME}(?<!\p{L}(?=[.,]))`, 'u');
const NAME_BEHIND = new RegExp(`${NAME}$`, 'u');
/** `10k` is not ten, and `10 m` might mean a million: both are refused. */
const SHORTENED = /\d\s*(?:k|m|b|mn|bn|tsd|mio|mrd|mld)\.?\s*$/i;
const USUAL_DECIMALS = 2;
/** The most decimals when no currency is given. */
const ANY_DECIMALS = 3;

let marks = { decimal: '.', group: ',' };
let known = new Map<string, number>();

/** Sets the user's number format and the known currencies. */
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
 * `1.234,50`, `1,234.50` and `1234.5` all mean the same. Null when it is not an amount.
 *
 * A mark before three digits is a group separator if the user's locale groups with it. A point counts as one only if three decimals
 * are impossible, because the API writes decimals after a point.
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

/** Removes the currency. Keeps a trailing sign and brackets, so that a negative amount is not read as positive. */
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

/** What a formula gives; null when the text is none. */
export function calculateTyped(input: string, decimals: number): Calculation | null {
  if (!isFormula(input)) return null;
  return calculate(input, decimals, (text) => parseAmount(text, decimals));
}

/** An amount of the API as somebody of the user's region would type it: `300.50` becomes `300,50`. */
export function writeAmount(amount: string): string {
  return marks.decimal === ',' ? amount.replace('.', ',') : amount;
}

/** The typed amount in units; null when it is not an amount or has too many decimals. */
export function parseUnits(input: string, decimals: number): bigint | null {
  const calculated = calculateTyped(input, decimals);
  if (calculated) return 'units' in calculated ? calculated.units : null;
  const amount = parseAmount(input, decimals);
  try {
    return amount === null ? null : toUnits(amount, decimals);
  } catch {
    return null;
  }
}

/** The amount for the API. Text that is not an amount is sent unchanged, so that the API says what is wrong with it. */
export function toApiAmount(input: string, code?: string): string {
  const decimals = code === undefined ? undefined : decimalsOf(code);
  const calculated = decimals === undefined ? null : calculateTyped(input, decimals);
  if (calculated && 'units' in calculated) return fromUnits(calculated.units, decimals!);
  return parseAmount(input, decimals) ?? input.trim();
}

export type Reading = { amount: string; isRounded: boolean } | { problem: ArithmeticProblem } | { example: string };

/** How the text is read where that is not obvious, what is wrong with a formula, or an example if it cannot be read. */
export function explainReading(input: string, code: string, locale: string): Reading | null {
  const given = input.trim();
  const decimals = decimalsOf(code);
  const isPlain =
    /^[+-]?\d+$/.test(given) || (/^[+-]?\d+[.,]\d{1,2}$/.test(given) && (given.includes('.') || marks.decimal === ','));
  const calculated = calculateTyped(given, decimals);
  if (calculated && 'problem' in calculated) return calculated;
  const amount = parseUnits(given, decimals);
  if (!given || (isPlain && amount !== null)) return null;
  if (amount !== null)
    return { amount: show(amount, { code, decimals }, locale), isRounded: calculated?.isRounded ?? false };
  return {
    example: new Intl.NumberFormat(locale, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      useGrouping: 'always',
    }).format(decimals ? 1234.5 : 1234),
  };
}
