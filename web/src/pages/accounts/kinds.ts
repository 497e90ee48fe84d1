// The kinds of account and what each means for a page.
import type { Account } from '$/api/types';
import { VALUED_ROLES } from './roles';

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

/** Null for accounts that a user cannot create: cash, and the helper accounts for opening balances. */
export function kindOf(facts: Pick<AccountFacts, 'type'>): AccountKind | null {
  return LABELS[facts.type] ?? null;
}

export function isOwnKind(kind: AccountKind): kind is 'asset' | 'liability' {
  return kind === 'asset' || kind === 'liability';
}

/** The user's own accounts and debts have a chart and can be reconciled. */
export function isOwn(facts: Pick<AccountFacts, 'type'>): boolean {
  const kind = kindOf(facts);
  return kind !== null && isOwnKind(kind);
}

/** Property, vehicles and investments are valued by hand. */
export function isValued(facts: Pick<AccountFacts, 'account_role'>): boolean {
  return VALUED_ROLES.some((role) => role === facts.account_role);
}

/** Helper accounts are created and deleted with their account and cannot be edited. */
export function isHelper(facts: Pick<AccountFacts, 'type'>): boolean {
  return facts.type === 'Initial balance account' || facts.type === 'Reconciliation account';
}

export function parseKind(word: string | null): AccountKind {
  return KINDS.find((kind) => kind === word) ?? 'asset';
}
