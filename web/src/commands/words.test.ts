import { expect, test } from 'vitest';
import { fits, wordsIn } from './words';

test('each typed word begins a word of the name, whatever its case and accents', () => {
  expect(fits(wordsIn('CAFE zu'), 'Café Zürich')).toBe(true);
  expect(fits(wordsIn('zür'), 'Zurich-bound')).toBe(true);
  expect(fits(wordsIn('bou'), 'Zurich-bound')).toBe(true);
  expect(fits(wordsIn('rich'), 'Zürich')).toBe(false);
  expect(fits([], 'anything')).toBe(true);
});
