import { expect, test } from 'vitest';
import { misfit, unmet } from './charged';

const given = (currency: string, foreignAmount = '', foreignCurrency = '') => ({
  currency,
  foreignAmount,
  foreignCurrency,
});

test('an account in another currency wants an amount of its own', () => {
  expect(unmet('EUR', ['EUR', 'EUR'])).toEqual([]);
  expect(unmet('EUR', ['EUR', 'USD'])).toEqual(['USD']);
  expect(misfit(given('EUR'), ['EUR', 'USD']).foreign).toContain('USD');
  expect(misfit(given('EUR', ' ', 'USD'), ['EUR', 'USD']).foreign).toContain('USD');
  expect(misfit(given('EUR', '12', 'GBP'), ['EUR', 'USD']).foreign).toContain('USD');
  expect(misfit(given('EUR', '12', 'USD'), ['EUR', 'USD'])).toEqual({});
});

test('a purchase abroad says what the account was charged', () => {
  expect(misfit(given('USD'), ['EUR']).foreign).toContain('EUR');
  expect(misfit(given('USD', '9,20', 'EUR'), ['EUR'])).toEqual({});
});

test('a transfer is counted in the currency of one of its accounts', () => {
  expect(misfit(given('GBP', '12', 'USD'), ['EUR', 'USD']).amount).toContain('EUR or USD');
});

test('the second amount is in a second currency', () => {
  expect(misfit(given('EUR', '5', 'EUR'), ['EUR']).foreign).toContain('EUR');
  expect(misfit(given('EUR', '5', 'USD'), ['EUR'])).toEqual({});
  expect(misfit(given('EUR', '', 'EUR'), ['EUR'])).toEqual({});
});

test('accounts that nobody knows yet want nothing', () => {
  expect(misfit(given('EUR'), [])).toEqual({});
});
