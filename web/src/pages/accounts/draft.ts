// Converts an account to the values of its form and back; sends only the fields that its type has.
import type { ExactNumber } from '$/api/exact';
import type { AccountBody } from '$/api/types';
import { toApiAmount } from '$/money/parse';
import { kindOf, type AccountFacts, type Kind } from './kinds';

export const ROLES = ['defaultAsset', 'savingAsset', 'sharedAsset', 'ccAsset'] as const;
export const LIABILITY_TYPES = ['loan', 'debt', 'mortgage', 'credit card'] as const;
export const INTEREST_PERIODS = ['daily', 'monthly', 'yearly'] as const;

export interface Draft {
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

export function blank(currency: string, today: string): Draft {
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

const given = (value: ExactNumber | null): string => (value === null ? '' : String(value));
const nonzero = (value: ExactNumber | null): string => (/[1-9]/.test(given(value)) ? given(value) : '');

function among<T extends string>(words: readonly T[], word: string | null, usual: T): T {
  return words.find((one) => one === word) ?? usual;
}

export function drafted(facts: AccountFacts, today: string): Draft {
  return {
    name: facts.name,
    currency_code: facts.currency_code,
    active: facts.active,
    include_net_worth: facts.include_net_worth,
    account_role: among(ROLES, facts.account_role, 'defaultAsset'),
    cc_monthly_payment_date: facts.monthly_payment_date ?? today,
    opening_balance: nonzero(facts.opening_balance),
    opening_balance_date: facts.opening_balance_date ?? today,
    virtual_balance: nonzero(facts.virtual_balance),
    liability_type: among(LIABILITY_TYPES, facts.liability_type, 'loan'),
    liability_amount: given(facts.liability_amount),
    liability_start_date: facts.liability_start_date ?? today,
    interest: given(facts.interest) || '0',
    interest_period: among(INTEREST_PERIODS, facts.interest_period, 'yearly'),
    iban: facts.iban ?? '',
    bic: facts.bic ?? '',
    account_number: facts.account_number ?? '',
    notes: facts.notes ?? '',
  };
}

/** What a person typed as an amount; what is none goes as it is, so that the API says what is wrong with it. */
const amount = (input: string, code?: string): string | null => toApiAmount(input, code) || null;
const filled = (input: string): string | null => input.trim() || null;

function assetFields(draft: Draft): AccountBody {
  const isCard = draft.account_role === 'ccAsset';
  const opening = amount(draft.opening_balance, draft.currency_code);
  return {
    account_role: draft.account_role,
    cc_type: isCard ? 'monthlyFull' : null,
    cc_monthly_payment_date: isCard ? filled(draft.cc_monthly_payment_date) : null,
    opening_balance: opening,
    opening_balance_date: opening ? filled(draft.opening_balance_date) : null,
    virtual_balance: amount(draft.virtual_balance, draft.currency_code),
  };
}

function liabilityFields(draft: Draft): AccountBody {
  return {
    liability_type: draft.liability_type,
    liability_amount: amount(draft.liability_amount, draft.currency_code),
    liability_start_date: filled(draft.liability_start_date),
    interest: amount(draft.interest),
    interest_period: draft.interest_period,
    virtual_balance: amount(draft.virtual_balance, draft.currency_code),
  };
}

const FIELDS_OF: Partial<Record<Kind, (draft: Draft) => AccountBody>> = {
  asset: assetFields,
  liability: liabilityFields,
};

/** `kind` is null for accounts whose type has no word in the API: it is left out, and stays. */
export function body(draft: Draft, kind: Kind | null): AccountBody {
  return {
    name: draft.name.trim(),
    ...(kind ? { type: kind } : {}),
    currency_code: draft.currency_code,
    active: draft.active,
    include_net_worth: draft.include_net_worth,
    iban: filled(draft.iban),
    bic: filled(draft.bic),
    account_number: filled(draft.account_number),
    notes: filled(draft.notes),
    ...(kind ? FIELDS_OF[kind]?.(draft) : {}),
  };
}

/** The account as it is, but for these: a PUT blanks whatever it leaves out. */
export function changed(facts: AccountFacts, changes: Partial<Draft>, today: string): AccountBody {
  return body({ ...drafted(facts, today), ...changes }, kindOf(facts));
}
