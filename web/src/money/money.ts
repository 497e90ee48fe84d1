// Counts and shows money: whole units of the currency's smallest coin, as bigint, never as a float.
import type { ExactNumber } from '$/api/exact';

export interface Currency {
  code: string;
  decimals: number;
}

/** A sum in one currency. */
export interface Sum extends Currency {
  units: bigint;
}

const AMOUNT = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** `12.5` in a currency with two decimals is 1250n. Digits beyond the decimals must be zeros. */
export function toUnits(amount: ExactNumber, decimals: number): bigint {
  const found = AMOUNT.exec(String(amount).trim());
  if (!found || !(found[2] || found[3])) throw new RangeError(`not an amount: ${amount}`);
  const [, sign, whole = '', fraction = ''] = found;
  if (/[1-9]/.test(fraction.slice(decimals))) throw new RangeError(`too many decimals: ${amount}`);
  const digits = BigInt((whole || '0') + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return sign === '-' ? -digits : digits;
}

/** The reverse: 1250n with two decimals is `12.50`, as the API takes it. */
export function fromUnits(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const sign = amount < 0n ? '-' : '';
  if (!decimals) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Without its sign, as a person would type it. */
export function withoutSign(amount: ExactNumber, decimals: number): string {
  return fromUnits(toUnits(amount, decimals), decimals).replace('-', '');
}

export function sum(amounts: Iterable<ExactNumber>, decimals: number): bigint {
  let total = 0n;
  for (const amount of amounts) total += toUnits(amount, decimals);
  return total;
}

const formats = new Map<string, Intl.NumberFormat>();

function format(currency: Currency, locale: string): Intl.NumberFormat {
  const key = `${locale} ${currency.code} ${currency.decimals}`;
  let known = formats.get(key);
  if (!known) {
    known = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency: currency.code,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: currency.decimals,
      maximumFractionDigits: currency.decimals,
    });
    formats.set(key, known);
  }
  return known;
}

/** Formats by locale and currency. The number is passed as text, so that no digit is lost. */
export function show(amount: ExactNumber | bigint, currency: Currency, locale: string): string {
  const digits = typeof amount === 'bigint' ? fromUnits(amount, currency.decimals) : String(amount);
  return format(currency, locale).format(digits as unknown as number);
}

/** An axis has room for ten million; larger numbers are shortened. */
const MOST_WRITTEN_OUT = 1e7;

/** The label of a grid line in a chart. Not for exact amounts. */
export function showShortened(value: number, code: string, locale: string): string {
  if (Math.abs(value) < MOST_WRITTEN_OUT) return show(value.toFixed(0), { code, decimals: 0 }, locale);
  const shortened = {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  } as const;
  return new Intl.NumberFormat(locale, shortened).format(value);
}

/** The position of a point on a chart. Not for showing amounts. */
export function toPosition(amount: ExactNumber): number {
  return Number(amount);
}

/** The share for a progress bar; more than 1 when `part` exceeds `whole`. */
export function share(part: ExactNumber, whole: ExactNumber): number {
  const all = Number(whole);
  return all ? Number(part) / all : Number(part) > 0 ? 1 : 0;
}
