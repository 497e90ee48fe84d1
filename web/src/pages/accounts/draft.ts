// Converts an account to the values of its form and back; sends only the fields that its type has.
import type { ExactNumber } from '$/api/exact';
import type { AccountBody } from '$/api/types';
import { toApiAmount, writeAmount } from '$/money/parse';
import { kindOf, type AccountFacts, type AccountKind } from './kinds';
import { ROLES } from './roles';

export const LIABILITY_TYPES = ['loan', 'debt', 'mortgage', 'credit card'] as const;
export const INTEREST_PERIODS = ['daily', 'weekly', 'monthly', 'quarterly', 'half-year', 'yearly'] as const;

export interface AccountDraft {
  name: string;
  currency_code: string;
  active: boolean;
  include_net_worth: boolean;
  account_role: (typeof ROLES)[number];
  cc_monthly_payment_date: string;
  opening_balance: string;
  opening_balance_date: string;
  virtual_balance: string;
  liability_type: (typeof LIABILITY_TYPES)[number];
  liability_amount: string;
  liability_start_date: string;
  interest: string;
  interest_period: (typeof INTEREST_PERIODS)[number];
  iban: string;
  bic: string;
  account_number: string;
  notes: string;
}

export function emptyDraft(currency: string, today: string): AccountDraft {
  return {
    name: '',
    currency_code: currency,
    active: true,
    include_net_worth: true,
    account_role: 'defaultAsset',
    cc_monthly_payment_date: today,
    opening_balance: '',
    opening_balance_date: today,
    virtual_balance: '',
    liability_type: 'loan',
    liability_amount: '',
    liability_start_date: today,
    interest: '0',
    interest_period: 'yearly',
    iban: '',
    bic: '',
    account_number: '',
    notes: '',
  };
}

const textOf = (value: ExactNumber | null): string => (value === null ? '' : writeAmount(String(value)));
const nonzero = (value: ExactNumber | null): string => (/[1-9]/.test(textOf(value)) ? textOf(value) : '');

function oneOf<T extends string>(words: readonly T[], word: string | null, usual: T): T {
  return words.find((candidate) => candidate === word) ?? usual;
}

export function draftFromAccount(facts: AccountFacts, today: string): AccountDraft {
  return {
    name: facts.name,
    currency_code: facts.currency_code,
    active: facts.active,
    include_net_worth: facts.include_net_worth,
    account_role: oneOf(ROLES, facts.account_role, 'defaultAsset'),
    cc_monthly_payment_date: facts.monthly_payment_date ?? today,
    opening_balance: nonzero(facts.opening_balance),
    opening_balance_date: facts.opening_balance_date ?? today,
    virtual_balance: nonzero(facts.virtual_balance),
    liability_type: oneOf(LIABILITY_TYPES, facts.liability_type, 'loan'),
    liability_amount: textOf(facts.liability_amount),
    liability_start_date: facts.liability_start_date ?? today,
    interest: textOf(facts.interest) || '0',
    interest_period: oneOf(INTEREST_PERIODS, facts.interest_period, 'yearly'),
    iban: facts.iban ?? '',
    bic: facts.bic ?? '',
    account_number: facts.account_number ?? '',
    notes: facts.notes ?? '',
  };
}

/** Text that is not an amount is sent unchanged, so that the API says what is wrong with it. */
const amount = (input: string, code?: string): string | null => toApiAmount(input, code) || null;
const orNull = (input: string): string | null => input.trim() || null;

function assetFields(draft: AccountDraft): AccountBody {
  const isCard = draft.account_role === 'ccAsset';
  const opening = amount(draft.opening_balance, draft.currency_code);
  return {
    account_role: draft.account_role,
    cc_type: isCard ? 'monthlyFull' : null,
    cc_monthly_payment_date: isCard ? orNull(draft.cc_monthly_payment_date) : null,
    opening_balance: opening,
    opening_balance_date: opening ? orNull(draft.opening_balance_date) : null,
    virtual_balance: amount(draft.virtual_balance, draft.currency_code),
  };
}

function liabilityFields(draft: AccountDraft): AccountBody {
  return {
    liability_type: draft.liability_type,
    liability_amount: amount(draft.liability_amount, draft.currency_code),
    liability_start_date: orNull(draft.liability_start_date),
    interest: amount(draft.interest),
    interest_period: draft.interest_period,
    virtual_balance: amount(draft.virtual_balance, draft.currency_code),
  };
}

const FIELDS_OF: Partial<Record<AccountKind, (draft: AccountDraft) => AccountBody>> = {
  asset: assetFields,
  liability: liabilityFields,
};

/** `kind` is null for accounts whose type the API has no name for: the type is omitted and stays unchanged. */
export function toBody(draft: AccountDraft, kind: AccountKind | null): AccountBody {
  return {
    name: draft.name.trim(),
    ...(kind ? { type: kind } : {}),
    currency_code: draft.currency_code,
    active: draft.active,
    include_net_worth: draft.include_net_worth,
    iban: orNull(draft.iban),
    bic: orNull(draft.bic),
    account_number: orNull(draft.account_number),
    notes: orNull(draft.notes),
    ...(kind ? FIELDS_OF[kind]?.(draft) : {}),
  };
}

/** The whole account with some changes, because a PUT clears every field that it omits. */
export function bodyWithChanges(facts: AccountFacts, changes: Partial<AccountDraft>, today: string): AccountBody {
  return toBody({ ...draftFromAccount(facts, today), ...changes }, kindOf(facts));
}
