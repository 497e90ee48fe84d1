import { expect, test } from 'vitest';
import { bestOf } from './best';

const named = (...names: string[]) => names.map((text) => ({ text }));

test.each([
  ['rewe', ['REWE Markt GmbH'], 0],
  ['markt', ['Biomarkt', 'REWE Markt GmbH'], 1],
  ['art', ['REWE Markt GmbH'], 1],
  ['lidl', [], 0],
  ['food', ['Dog food', 'Food'], 1],
  ['muller', ['Café Müller', 'Müller'], 0],
  ['muller', ['Müller', 'Muller'], 1],
  ['co.', ['Smith & Co. (old)'], 0],
])('where a name may be made, %s among %s is row %s', (typed, names, row) => {
  expect(bestOf(named(...names), typed, true)).toBe(row);
});

test.each([
  ['art', ['REWE Markt GmbH'], 0],
  ['lidl', [], -1],
  ['markt', ['Biomarkt', 'REWE Markt GmbH'], 1],
])('in a closed list, %s among %s is row %s', (typed, names, row) => {
  expect(bestOf(named(...names), typed, false)).toBe(row);
});
