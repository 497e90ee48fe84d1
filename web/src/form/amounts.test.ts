import { expect, test } from 'vitest';
import { checkAmounts, missingCurrencies } from './amounts';

const given = (currency: string, foreignAmount = '', foreignCurrency = '') => ({
  currency,
  foreignAmount,
  foreignCurrency,
});

test('an account in another currency wants an amount of its own', () => {
  expect(missingCurrencies('EUR', ['EUR', 'EUR'])).toEqual([]);
  expect(missingCurrencies('EUR', ['EUR', 'USD'])).toEqual(['USD']);
  expect(checkAmounts(given('EUR'), ['EUR', 'USD']).foreign).toContain('USD');
  expect(checkAmounts(given('EUR', ' ', 'USD'), ['EUR', 'USD']).foreign).toContain('USD');
  expect(checkAmounts(given('EUR', '12', 'GBP'), ['EUR', 'USD']).foreign).toContain('USD');
  expect(checkAmounts(given('EUR', '12', 'USD'), ['EUR', 'USD'])).toEqual({});
});

test('a purchase abroad says what the account was charged', () => {
  expect(checkAmounts(given('USD'), ['EUR']).foreign).toContain('EUR');
  expect(checkAmounts(given('USD', '9,20', 'EUR'), ['EUR'])).toEqual({});
});

test('a transfer is counted in the currency of one of its accounts', () => {
  expect(checkAmounts(given('GBP', '12', 'USD'), ['EUR', 'USD']).amount).toContain('EUR or USD');
});

test('the second amount is in a second currency', () => {
  expect(checkAmounts(given('EUR', '5', 'EUR'), ['EUR']).foreign).toContain('EUR');
  expect(checkAmounts(given('EUR', '5', 'USD'), ['EUR'])).toEqual({});
  expect(checkAmounts(given('EUR', '', 'EUR'), ['EUR'])).toEqual({});
});

test('accounts that nobody knows yet want nothing', () => {
  expect(checkAmounts(given('EUR'), [])).toEqual({});
});
