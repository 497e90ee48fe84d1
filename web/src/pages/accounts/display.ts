// How an account's amounts are shown: debts and income without the minus sign of the books.
import { toUnits } from '$/money/money';
import { kindOf, type AccountFacts } from './kinds';

/** Debts and income are negative in the books, but people say "I owe 500" and "I earned 500". */
export function isSignFlipped(facts: Pick<AccountFacts, 'type'>): boolean {
  const kind = kindOf(facts);
  return kind === 'liability' || kind === 'revenue';
}

export function balanceToShow(facts: AccountFacts): bigint {
  const balance = toUnits(facts.current_balance, facts.currency_dp);
  return isSignFlipped(facts) ? -balance : balance;
}
