import { expect, test } from 'vitest';
import { checkAmounts, missingCurrencies } from './amounts';

const given = (currency: string, foreignAmount = '', foreignCurrency = '') => ({
  currency,
  foreignAmount,
  foreignCurrency,
});

test('an account in another currency needs a foreign amount', () => {
  expect(missingCurrencies('EUR', ['EUR', 'EUR'])).toEqual([]);
  expect(missingCurrencies('EUR', ['EUR', 'USD'])).toEqual(['USD']);
  expect(checkAmounts(given('EUR'), ['EUR', 'USD']).foreign).toContain('USD');
  expect(checkAmounts(given('EUR', ' ', 'USD'), ['EUR', 'USD']).foreign).toContain('USD');
  expect(checkAmounts(given('EUR', '12', 'GBP'), ['EUR', 'USD']).foreign).toContain('USD');
  expect(checkAmounts(given('EUR', '12', 'USD'), ['EUR', 'USD'])).toEqual({});
});

test('a purchase abroad needs the amount that the account was charged', () => {
  expect(checkAmounts(given('USD'), ['EUR']).foreign).toContain('EUR');
  expect(checkAmounts(given('USD', '9,20', 'EUR'), ['EUR'])).toEqual({});
});

test('a transfer must be in the currency of one of its accounts', () => {
  expect(checkAmounts(given('GBP', '12', 'USD'), ['EUR', 'USD']).amount).toContain('EUR or USD');
});

test('the foreign amount must be in another currency', () => {
  expect(checkAmounts(given('EUR', '5', 'EUR'), ['EUR']).foreign).toContain('EUR');
  expect(checkAmounts(given('EUR', '5', 'USD'), ['EUR'])).toEqual({});
  expect(checkAmounts(given('EUR', '', 'EUR'), ['EUR'])).toEqual({});
});

test('accounts with an unknown currency need nothing', () => {
  expect(checkAmounts(given('EUR'), [])).toEqual({});
});
