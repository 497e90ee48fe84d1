import { expect, test } from 'vitest';
import { moved, type Way } from './moving';

const pot = { units: 10_00n, target: 40_00n, decimals: 2 };

test('money goes in and out', () => {
  expect(moved(pot, 'in', '30')).toEqual({ units: 40_00n });
  expect(moved(pot, 'out', '10,00')).toEqual({ units: 0n });
});

test.each([
  ['in', ' ', 'missing'],
  ['out', '', 'missing'],
  ['in', 'ten', 'unreadable'],
  ['in', '0', 'notAbove'],
  ['out', '0.00', 'notAbove'],
  ['in', '-5', 'notAbove'],
  ['out', '-5', 'notAbove'],
  ['out', '10.01', 'notThere'],
  ['in', '30.01', 'tooFull'],
])('%s “%s” moves nothing: %s', (way, amount, wrong) => {
  expect(moved(pot, way as Way, amount)).toEqual({ wrong });
});

test('what is too full already can still be taken from', () => {
  expect(moved({ ...pot, target: 5_00n }, 'out', '1')).toEqual({ units: 9_00n });
});
