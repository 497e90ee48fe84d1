import { afterEach, expect, test } from 'vitest';
import { reading, readAs, sendable, typed, unitsTyped } from './typed';

afterEach(() => readAs('en-US'));

test.each([
  ['1.234,50', '1234.50'],
  ['1,234.50', '1234.50'],
  ['1,234', '1234'],
  ['1234.5', '1234.5'],
  ['12,50', '12.50'],
  ['€ 12.50', '12.50'],
  ['12.50 €', '12.50'],
  ['1 234,5', '1234.5'],
  ["1'234.50", '1234.50'],
  ['-3', '-3'],
  [',5', '0.5'],
  ['1.234.567', '1234567'],
  ['1.234', '1.234'],
  ['abc', null],
  ['', null],
  ['1-2', null],
  ['1.234.56', null],
  ['1.2.3', null],
  ['1,23.50', null],
  ['12,34,567', '1234567'],
  ['0,125', '0.125'],
  ['-,5', '-0.5'],
  ['7.', '7'],
])('typed %s is %s', (given, expected) => {
  expect(typed(given)).toBe(expected);
});

test('where decimals follow a comma, a comma never groups', () => {
  readAs('de-DE');
  expect(typed('1,234')).toBe('1.234');
  expect(typed('1.234,50')).toBe('1234.50');
});

test('where a point groups, it does so if three decimals cannot be meant', () => {
  readAs('de-DE', [{ code: 'EUR', decimals: 2 }, { code: 'KWD', decimals: 3 }]);
  expect(sendable('1.234', 'EUR')).toBe('1234');
  expect(sendable('-12.345', 'EUR')).toBe('-12345');
  expect(sendable('0.234', 'EUR')).toBe('0.234');
  expect(sendable('1.234', 'KWD')).toBe('1.234');
  expect(sendable('1.234')).toBe('1.234');
  expect(sendable('12.50', 'EUR')).toBe('12.50');
});

test('where neither mark groups, nothing is guessed', () => {
  readAs('fr-FR', [{ code: 'EUR', decimals: 2 }]);
  expect(sendable('1.234', 'EUR')).toBe('1.234');
  expect(sendable('1 234,5', 'EUR')).toBe('1234.5');
});

test('in units of the coin, or not at all', () => {
  expect(unitsTyped('1.234,50', 2)).toBe(123450n);
  expect(unitsTyped('-3', 2)).toBe(-300n);
  expect(unitsTyped('1.005', 2)).toBeNull();
  expect(unitsTyped('', 2)).toBeNull();
});

test('what is not plain is said', () => {
  expect(reading('12.50', 'EUR', 'en-US')).toBeNull();
  expect(reading(' ', 'EUR', 'en-US')).toBeNull();
  expect(reading('12,50', 'EUR', 'en-US')).toEqual({ meant: '€12.50' });
  expect(reading('1,234', 'EUR', 'en-US')).toEqual({ meant: '€1,234.00' });
  expect(reading('1.234', 'EUR', 'en-US')).toEqual({ example: '1,234.50' });
  expect(reading('12.34.5', 'EUR', 'en-US')).toEqual({ example: '1,234.50' });
  readAs('de-DE', [{ code: 'EUR', decimals: 2 }, { code: 'JPY', decimals: 0 }]);
  expect(reading('12,50', 'EUR', 'de-DE')).toBeNull();
  expect(reading('1.234', 'EUR', 'de-DE')).toEqual({ meant: '1.234,00\u00a0€' });
  expect(reading('1,234', 'EUR', 'de-DE')).toEqual({ example: '1.234,50' });
  expect(reading('12,5', 'JPY', 'de-DE')).toEqual({ example: '1.234' });
});
