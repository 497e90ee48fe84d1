import { expect, test } from 'vitest';
import { effectOn, interestOf, summarizeDebt, totalsByCurrency } from './totals';
import type { AccountFacts } from './kinds';

const account = (code: string, balance: string | number) => ({
  attributes: { currency_code: code, currency_dp: 2, current_balance: balance } as AccountFacts,
});

test('totals are exact and never converted', () => {
  expect(
    totalsByCurrency([account('USD', 5), account('EUR', '90071992547409931.23'), account('EUR', '-0.01')]),
  ).toEqual([
    { code: 'EUR', decimals: 2, units: 9007199254740993122n },
    { code: 'USD', decimals: 2, units: 500n },
  ]);
});

const split = {
  amount: '-12.5',
  currency_code: 'EUR',
  currency_dp: 2,
  foreign_amount: null,
  foreign_currency_code: null,
  foreign_currency_dp: null,
  source_id: 3,
  destination_id: 9,
};

test('money that leaves the account is negative, money that arrives positive', () => {
  expect(effectOn(split, '3', 'EUR')).toBe(-1250n);
  expect(effectOn(split, '9', 'EUR')).toBe(1250n);
  expect(effectOn({ ...split, amount: '12.5' }, '3', 'EUR')).toBe(-1250n);
});

test('each account is charged in its own currency', () => {
  const abroad = { ...split, foreign_amount: '-1400', foreign_currency_code: 'JPY', foreign_currency_dp: 0 };
  expect(effectOn(abroad, '9', 'JPY')).toBe(1400n);
  expect(effectOn(abroad, '3', 'EUR')).toBe(-1250n);
  expect(effectOn(abroad, '3', 'USD')).toBeNull();
});

test('a debt is split into what is owed and what was paid back', () => {
  const loan = {
    currency_dp: 2,
    virtual_balance: 0,
    current_balance: '-750.5',
    liability_amount: 1000,
  } as AccountFacts;
  expect(summarizeDebt(loan)).toEqual({ now: 75050n, first: 100000n, paid: 24950n, share: 0.249 });
  expect(summarizeDebt({ ...loan, current_balance: '-1200' }).share).toBe(0);
});

test('interest is rounded to the nearest cent', () => {
  expect(interestOf(7_661_936n, '3.5')).toBe(268168n);
  expect(interestOf(100n, '0.5')).toBe(1n);
  expect(interestOf(-100n, '5')).toBe(0n);
});
