import { afterEach, expect, test } from 'vitest';
import { show } from './money';
import { explainReading, setNumberFormat, toApiAmount, parseAmount, parseUnits, writeAmount } from './parse';

afterEach(() => setNumberFormat('en-US'));

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
  ['.', null],
  ['\u2212250.75', '-250.75'],
  ['\u2013 3', '-3'],
  ['-€1,234.50', '-1234.50'],
  ['€-5', '-5'],
  ['-€-5', null],
  ['kr. 500', '500'],
  ['Rs. 500', '500'],
  ['Rs.500', '500'],
  ['FR. 50', '50'],
  ['1.234,50 kr.', '1234.50'],
  ['kr.', null],
  ['$.50', '0.50'],
  ['EUR .50', '0.50'],
  ['EUR.50', null],
  ['50.00-', null],
  ['50.00\u2212', null],
  ['50.00- €', null],
  ['(50.00)', null],
  ['($50.00)', null],
  ['Rs. 500/-', null],
  ['1e3', null],
  ['10k', null],
  ['1.5 Mio.', null],
  ['2bn', null],
  ['10 kr', '10'],
  ['10 KM', '10'],
])('typed %s is %s', (given, expected) => {
  expect(parseAmount(given)).toBe(expected);
});

test('where a comma is the decimal mark, it never groups', () => {
  setNumberFormat('de-DE');
  expect(parseAmount('1,234')).toBe('1.234');
  expect(parseAmount('1.234,50')).toBe('1234.50');
});

test('where a point groups, it is the decimal mark if the currency has three decimals', () => {
  setNumberFormat('de-DE', [
    { code: 'EUR', decimals: 2 },
    { code: 'KWD', decimals: 3 },
  ]);
  expect(toApiAmount('1.234', 'EUR')).toBe('1234');
  expect(toApiAmount('-12.345', 'EUR')).toBe('-12345');
  expect(toApiAmount('0.234', 'EUR')).toBe('0.234');
  expect(toApiAmount('1.234', 'KWD')).toBe('1.234');
  expect(toApiAmount('1.234')).toBe('1.234');
  expect(toApiAmount('12.50', 'EUR')).toBe('12.50');
});

test('where neither mark groups, a point is the decimal mark', () => {
  setNumberFormat('fr-FR', [{ code: 'EUR', decimals: 2 }]);
  expect(toApiAmount('1.234', 'EUR')).toBe('1.234');
  expect(toApiAmount('1 234,5', 'EUR')).toBe('1234.5');
});

const LOCALES = [
  'en-US',
  'en-GB',
  'de-DE',
  'de-CH',
  'fr-FR',
  'nl-NL',
  'nl-BE',
  'it-IT',
  'es-ES',
  'pt-BR',
  'pt-PT',
  'pl-PL',
  'cs-CZ',
  'hu-HU',
  'sv-SE',
  'nb-NO',
  'da-DK',
  'fi-FI',
  'ja-JP',
  'zh-CN',
  'hi-IN',
  'tr-TR',
  'uk-UA',
  'he-IL',
  'ar-AE',
];
const CODES = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'INR', 'IDR', 'PLN', 'XCG', 'XOF'];
const CURRENCIES = [
  ...CODES.map((code) => ({ code, decimals: 2 })),
  { code: 'JPY', decimals: 0 },
  { code: 'KWD', decimals: 3 },
  { code: 'BTC', decimals: 8 },
];
const UNITS = [0n, 1n, 50n, 999n, 1234n, 12345n, 123400n, 1234567n, 1850000000n, 9007199254740993123n];

test.each(LOCALES)('every shown amount is parsed back to the same amount: %s', (locale) => {
  setNumberFormat(locale, CURRENCIES);
  for (const currency of CURRENCIES) {
    for (const amount of UNITS.flatMap((units) => [units, -units])) {
      const shown = show(amount, currency, locale);
      expect([shown, parseUnits(shown, currency.decimals)]).toEqual([shown, amount]);
    }
  }
});

test('a typed amount is parsed into units, or null', () => {
  expect(parseUnits('1.234,50', 2)).toBe(123450n);
  expect(parseUnits('-3', 2)).toBe(-300n);
  expect(parseUnits('1.005', 2)).toBeNull();
  expect(parseUnits('', 2)).toBeNull();
});

test('the reading of an unclear amount is shown', () => {
  expect(explainReading('12.50', 'EUR', 'en-US')).toBeNull();
  expect(explainReading(' ', 'EUR', 'en-US')).toBeNull();
  expect(explainReading('12,50', 'EUR', 'en-US')).toMatchObject({ amount: '€12.50' });
  expect(explainReading('1,234', 'EUR', 'en-US')).toMatchObject({ amount: '€1,234.00' });
  expect(explainReading('1.234', 'EUR', 'en-US')).toEqual({ example: '1,234.50' });
  expect(explainReading('12.34.5', 'EUR', 'en-US')).toEqual({ example: '1,234.50' });
  setNumberFormat('de-DE', [
    { code: 'EUR', decimals: 2 },
    { code: 'JPY', decimals: 0 },
  ]);
  expect(explainReading('12,50', 'EUR', 'de-DE')).toBeNull();
  expect(explainReading('1.234', 'EUR', 'de-DE')).toMatchObject({ amount: '1.234,00\u00a0€' });
  expect(explainReading('1,234', 'EUR', 'de-DE')).toEqual({ example: '1.234,50' });
  expect(explainReading('12,5', 'JPY', 'de-DE')).toEqual({ example: '1.234' });
  expect(writeAmount('1234.50')).toBe('1234,50');
  expect(parseUnits(writeAmount('1234.567'), 3)).toBe(1234567n);
});
