import { expect, test } from 'vitest';
import { showRate } from './rate';

test('a rate is written as in the region, with the digits that people read', () => {
  expect(showRate('1.07296137339055793991', 'de-DE')).toBe('1,0729614');
  expect(showRate('0.000000123', 'en-US')).toBe('0.000000123');
  expect(showRate(169, 'en-US')).toBe('169');
});
