import { expect, test } from 'vitest';
import { amountAfter, type Direction } from './move';

const bank = { units: 10_00n, target: 40_00n, decimals: 2 };

test('money can be put in and taken out', () => {
  expect(amountAfter(bank, 'in', '30')).toEqual({ units: 40_00n });
  expect(amountAfter(bank, 'out', '10,00')).toEqual({ units: 0n });
});

test.each([
  ['in', ' ', 'missing'],
  ['out', '', 'missing'],
  ['in', 'ten', 'unreadable'],
  ['in', '0', 'notPositive'],
  ['out', '0.00', 'notPositive'],
  ['in', '-5', 'notPositive'],
  ['out', '-5', 'notPositive'],
  ['out', '10.01', 'tooMuch'],
  ['in', '30.01', 'aboveTarget'],
])('%s “%s” moves nothing: %s', (direction, amount, problem) => {
  expect(amountAfter(bank, direction as Direction, amount)).toEqual({ problem });
});

test('money can be taken out of a piggy bank that holds more than its target', () => {
  expect(amountAfter({ ...bank, target: 5_00n }, 'out', '1')).toEqual({ units: 9_00n });
});
