// Checks that there is an amount in the currency of each of the user's accounts; with an amount in another currency alone, the transaction would appear on no page.
import { t } from '$/messages';

export interface Amounts {
  currency: string;
  foreignAmount: string;
  foreignCurrency: string;
}

/** The account currencies that differ from the amount's currency and need a foreign amount. */
export function missingCurrencies(currency: string, ofAccounts: readonly string[]): string[] {
  return [...new Set(ofAccounts)].filter((code) => code !== currency);
}

/** The errors of the amount and the foreign amount; empty when there are none. */
export function checkAmounts(given: Amounts, ofAccounts: readonly string[]): { amount?: string; foreign?: string } {
  const [code, ...more] = missingCurrencies(given.currency, ofAccounts);
  const isGiven = given.foreignAmount.trim() !== '';
  if (code && more.length) return { amount: t.form.neitherAccount(given.currency, [code, ...more]) };
  if (code && !(isGiven && given.foreignCurrency === code)) return { foreign: t.form.accountIn(code) };
  if (isGiven && given.foreignCurrency === given.currency) return { foreign: t.form.sameCurrency(given.currency) };
  return {};
}
