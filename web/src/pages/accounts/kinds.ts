// The kinds of account and what each means for a page.
import type { Account } from '$/api/types';

export const KINDS = ['asset', 'liability', 'expense', 'revenue'] as const;
export type AccountKind = (typeof KINDS)[number];

export type AccountFacts = Account['attributes'];

const LABELS: Record<string, AccountKind> = {
  'Asset account': 'asset',
  'Expense account': 'expense',
  'Revenue account': 'revenue',
  Loan: 'liability',
  Debt: 'liability',
  Mortgage: 'liability',
  'Credit card': 'liability',
};

/** Null for accounts that cannot be made: cash, and the helpers behind opening balances. */
export function kindOf(facts: Pick<AccountFacts, 'type'>): AccountKind | null {
  return LABELS[facts.type] ?? null;
}

/** One's own money and debts: these have a balance worth a chart, and statements. */
export function isOwn(facts: Pick<AccountFacts, 'type'>): boolean {
  const kind = kindOf(facts);
  return kind === 'asset' || kind === 'liability';
}

/** Helper accounts are created and deleted with their account and cannot be edited. */
export function isHelper(facts: Pick<AccountFacts, 'type'>): boolean {
  return facts.type === 'Initial balance account' || facts.type === 'Reconciliation account';
}

export function parseKind(word: string | null): AccountKind {
  return KINDS.find((kind) => kind === word) ?? 'asset';
}
