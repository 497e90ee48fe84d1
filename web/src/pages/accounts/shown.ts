// How are an account's figures said? Debts and income as what they are, without the minus of the books.
import { units } from '$/money/money';
import { t } from '$/messages';
import { session } from '$/session/session.svelte';
import { kindOf, type AccountFacts } from './kinds';

/** Owed and earned are below zero in the books; people say "I owe 500", "I earned 500". */
export function isTurned(facts: Pick<AccountFacts, 'type'>): boolean {
  const kind = kindOf(facts);
  return kind === 'liability' || kind === 'revenue';
}

export function balanceShown(facts: AccountFacts): bigint {
  const balance = units(facts.current_balance, facts.currency_dp);
  return isTurned(facts) ? -balance : balance;
}

/** Digits as the API wrote them: a rate may have twelve decimals. */
export function rate(facts: AccountFacts): string {
  const digits = new Intl.NumberFormat(session.locale, { maximumFractionDigits: 12 });
  const period = (facts.interest_period ?? 'yearly') as keyof typeof t.accounts.periods;
  return t.accounts.rate(digits.format((facts.interest ?? 0) as number), t.accounts.periods[period]);
}
