// Checks that the amounts include one in the currency of each of your accounts; an amount in another currency alone would appear on no page.
import { t } from '$/messages';

export interface Amounts {
  currency: string;
  foreignAmount: string;
  foreignCurrency: string;
}

/** The accounts' currencies that the amount itself is not in: the second amount has to be. */
export function missingCurrencies(currency: string, ofAccounts: readonly string[]): string[] {
  return [...new Set(ofAccounts)].filter((code) => code !== currency);
}

/** The problems of the amount and of the second amount; empty when there are none. */
export function checkAmounts(given: Amounts, ofAccounts: readonly string[]): { amount?: string; foreign?: string } {
  const [code, ...more] = missingCurrencies(given.currency, ofAccounts);
  const isGiven = given.foreignAmount.trim() !== '';
  if (code && more.length) return { amount: t.form.neitherAccount(given.currency, [code, ...more]) };
  if (code && !(isGiven && given.foreignCurrency === code)) return { foreign: t.form.accountIn(code) };
  if (isGiven && given.foreignCurrency === given.currency) return { foreign: t.form.sameCurrency(given.currency) };
  return {};
}
