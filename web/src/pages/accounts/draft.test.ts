import { expect, test } from 'vitest';
import { emptyDraft, toBody, bodyWithChanges, draftFromAccount } from './draft';
import type { AccountFacts } from './kinds';

const TODAY = '2026-11-15';

const LOAN: AccountFacts = {
  updated_at: '',
  created_at: '',
  name: 'Car',
  active: true,
  type: 'Loan',
  currency_id: 1,
  currency_code: 'EUR',
  currency_symbol: '€',
  currency_dp: 2,
  current_balance: '-90071992547409931.23',
  current_balance_date: TODAY,
  notes: 'with Ann',
  monthly_payment_date: null,
  credit_card_type: null,
  account_number: null,
  iban: 'NL02ABNA0123456789',
  bic: null,
  virtual_balance: 0,
  opening_balance: null,
  opening_balance_date: null,
  role: null,
  account_role: null,
  include_net_worth: true,
  interest: '3.000000000001',
  interest_period: 'monthly',
  liability_type: 'loan',
  liability_amount: '90071992547409931.23',
  liability_start_date: '2024-01-01',
  liability_direction: 'debit',
  latitude: null,
  longitude: null,
  zoom_level: null,
};

test('a quick edit changes only its own fields and clears none', () => {
  expect(bodyWithChanges(LOAN, { name: 'Van', active: false }, TODAY)).toEqual({
    name: 'Van',
    type: 'liability',
    currency_code: 'EUR',
    active: false,
    include_net_worth: true,
    iban: 'NL02ABNA0123456789',
    bic: null,
    account_number: null,
    notes: 'with Ann',
    liability_type: 'loan',
    liability_amount: '90071992547409931.23',
    liability_start_date: '2024-01-01',
    interest: '3.000000000001',
    interest_period: 'monthly',
    virtual_balance: null,
  });
});

test('every interest period survives a change of something else', () => {
  for (const interest_period of ['daily', 'weekly', 'monthly', 'quarterly', 'half-year', 'yearly'])
    expect(bodyWithChanges({ ...LOAN, interest_period }, { name: 'Van' }, TODAY)).toMatchObject({ interest_period });
});

test('only the fields of the type are sent', () => {
  const draft = { ...emptyDraft('EUR', TODAY), name: ' Shop ', opening_balance: '5' };
  expect(toBody(draft, 'expense')).toEqual({
    name: 'Shop',
    type: 'expense',
    currency_code: 'EUR',
    active: true,
    include_net_worth: true,
    iban: null,
    bic: null,
    account_number: null,
    notes: null,
  });
  expect(toBody(draft, 'asset')).toMatchObject({
    opening_balance: '5',
    opening_balance_date: TODAY,
    cc_type: null,
    cc_monthly_payment_date: null,
  });
  expect(toBody({ ...draft, account_role: 'ccAsset' }, 'asset')).toMatchObject({
    cc_type: 'monthlyFull',
    cc_monthly_payment_date: TODAY,
  });
});

test('amounts are parsed; text that is not an amount is sent as typed', () => {
  const draft = { ...emptyDraft('EUR', TODAY), opening_balance: '1.234,50', virtual_balance: 'ten' };
  expect(toBody(draft, 'asset')).toMatchObject({ opening_balance: '1234.50', virtual_balance: 'ten' });
});

test('without an opening balance no date is sent', () => {
  expect(toBody(emptyDraft('EUR', TODAY), 'asset')).toMatchObject({
    opening_balance: null,
    opening_balance_date: null,
  });
});

test('an account whose type the API cannot name keeps its type', () => {
  expect(bodyWithChanges({ ...LOAN, type: 'Cash account' }, {}, TODAY)).not.toHaveProperty('type');
  expect(draftFromAccount(LOAN, TODAY).notes).toBe('with Ann');
});
