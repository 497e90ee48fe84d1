// Shows exchange rates.
import type { ExactNumber } from '$/api/exact';

/** Inverted rates have many digits, and nobody reads more of them. */
const DIGITS_SHOWN = 8;

/** By locale, shortened to be read; never calculated with. */
export function showRate(rate: ExactNumber, locale: string): string {
  const format = new Intl.NumberFormat(locale, { maximumSignificantDigits: DIGITS_SHOWN });
  return format.format(String(rate) as unknown as number);
}
