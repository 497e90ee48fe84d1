// How the interest of an account is written.
import type { ExactNumber } from '$/api/exact';
import { t } from '$/messages';

interface Interest {
  interest: ExactNumber | null;
  interest_period: string | null;
}

/** Shows all digits, because a rate may have twelve decimals. */
export function showInterest({ interest, interest_period }: Interest, locale: string): string {
  const digits = new Intl.NumberFormat(locale, { maximumFractionDigits: 12 });
  const period = (interest_period ?? 'yearly') as keyof typeof t.accounts.periods;
  return t.accounts.rate(digits.format((interest ?? 0) as number), t.accounts.periods[period]);
}
