import { afterEach, expect, test } from 'vitest';
import { calculate, isFormula } from './arithmetic';
import { explainReading, parseAmount, parseUnits, setNumberFormat, toApiAmount } from './parse';

afterEach(() => setNumberFormat('en-US'));

const units = (input: string, decimals = 2) => calculate(input, decimals, (text) => parseAmount(text, decimals));

test.each([
  ['60+12.5', 7250n],
  ['3*4,20', 1260n],
  ['3 × 4,20', 1260n],
  ['2*(10-2.5)+1', 1600n],
  ['-5+10', 500n],
  ['3*-2', -600n],
  ['10-2-3', 500n],
  ['8/2/2', 200n],
  ['0.1+0.2', 30n],
  ['€60 + €12.50', 7250n],
  ['1,234.50 * 2', 246900n],
  ['90071992547409931.23 + 0.01', 9007199254740993124n],
  ['100 − 30', 7000n],
])('%s is %s cents', (input, expected) => {
  expect(units(input)).toEqual({ units: expected, isRounded: false });
});

test.each([
  ['10/3', 333n],
  ['20/3', 667n],
  ['0.005+0', 1n],
  ['-0.005+0', -1n],
])('%s is rounded to %s cents', (input, expected) => {
  expect(units(input)).toEqual({ units: expected, isRounded: true });
});

test.each([
  ['60+', { kind: 'unfinished' }],
  ['60+*2', { kind: 'unfinished' }],
  ['2(3+1)', { kind: 'unfinished' }],
  ['(60+2', { kind: 'brackets' }],
  ['60+2)', { kind: 'brackets' }],
  ['1/0', { kind: 'zero' }],
  ['1/(2-2)', { kind: 'zero' }],
  ['60+abc', { kind: 'number', text: 'abc' }],
  ['10k+5', { kind: 'number', text: '10k' }],
  ['1+'.repeat(150), { kind: 'long' }],
])('%s names what is wrong', (input, problem) => {
  expect(units(input)).toEqual({ problem });
});

test('a single amount is not a formula, whatever its sign and brackets', () => {
  expect(['12.50', '-3', '€-5', '(50.00)', '($50.00)', '(-50)'].filter(isFormula)).toEqual([]);
  expect(['50.00-', '60+12', '3*4', '(1+2)'].filter(isFormula)).toHaveLength(4);
});

test('amount fields calculate, and say what they calculated', () => {
  expect(parseUnits('60+12.5', 2)).toBe(7250n);
  expect(toApiAmount('3*4,20', 'EUR')).toBe('12.60');
  expect(toApiAmount('1000/3', 'JPY')).toBe('333.33'); // unknown here, so with two decimals
  expect(explainReading('60+12.5', 'EUR', 'en-US')).toEqual({ amount: '€72.50', isRounded: false });
  expect(explainReading('10/3', 'EUR', 'en-US')).toEqual({ amount: '€3.33', isRounded: true });
  expect(explainReading('10/', 'EUR', 'en-US')).toEqual({ problem: { kind: 'unfinished' } });
  expect(toApiAmount('10/', 'EUR')).toBe('10/');
});

test('a formula is read in the notation of the region', () => {
  setNumberFormat('de-DE', [{ code: 'EUR', decimals: 2 }]);
  expect(toApiAmount('1.234,50+1', 'EUR')).toBe('1235.50');
  expect(toApiAmount('1.234*2', 'EUR')).toBe('2468.00');
});
