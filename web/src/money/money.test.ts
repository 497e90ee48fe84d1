import { expect, test } from 'vitest';
import { showShortened, show, sum, fromUnits, toUnits, withoutSign } from './money';

const EUR = { code: 'EUR', decimals: 2 };

test('an amount too large for a float keeps every digit', () => {
  expect(fromUnits(toUnits('90071992547409931.23', 2), 2)).toBe('90071992547409931.23');
  expect(show('90071992547409931.23', EUR, 'en-US')).toBe('€90,071,992,547,409,931.23');
  expect(show(toUnits('90071992547409931.23', 2), EUR, 'de-DE').replace(/\s/g, ' ')).toBe(
    '90.071.992.547.409.931,23 €',
  );
});

test.each([
  ['12.5', 2, 1250n],
  [1500, 2, 150000n],
  ['-0.01', 2, -1n],
  ['7', 0, 7n],
  ['0.001', 3, 1n],
  ['1.10000', 2, 110n],
])('%s with %i decimals', (given, decimals, expected) => {
  expect(toUnits(given, decimals)).toBe(expected);
});

test('text that is not an amount is refused', () => {
  for (const wrong of ['', 'a', '1.005', '1e3', '.']) expect(() => toUnits(wrong, 2)).toThrow(RangeError);
});

test('sums are exact', () => {
  expect(fromUnits(sum(Array(10).fill('0.1'), 2), 2)).toBe('1.00');
});

test('labels of an axis are shortened above ten million', () => {
  expect(showShortened(1_250_000, 'EUR', 'en-US')).toBe('€1,250,000');
  expect(showShortened(Number('-90071992547409931'), 'EUR', 'en-US')).toBe('-€90,072T');
  expect(showShortened(25_000_000, 'JPY', 'en-US')).toBe('¥25M');
});

test('an amount can be written without its sign', () => {
  expect(withoutSign('-12.5', 2)).toBe('12.50');
  expect(withoutSign(-5, 0)).toBe('5');
});
