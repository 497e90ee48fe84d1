import { expect, test } from 'vitest';
import { suggested, weekAndDay, weekdayOf } from './moment';

test('a day suggests when it comes again', () => {
  expect(weekdayOf('2026-11-15')).toBe(7);
  expect(suggested('weekly', '2026-11-16')).toBe('1');
  expect(suggested('monthly', '2026-11-16')).toBe('16');
  expect(suggested('monthly', '2024-02-29')).toBe('last');
  expect(suggested('ndom', '2026-11-11')).toBe('2,3');
  expect(suggested('yearly', '2026-11-11')).toBe('2026-11-11');
  expect(suggested('daily', '2026-11-11')).toBe('');
});

test('a half typed day suggests nothing wrong', () => {
  expect(suggested('weekly', '')).toBe('');
  expect(suggested('monthly', '2026')).toBe('1');
});

test('a week and a weekday are read, also when they are missing', () => {
  expect(weekAndDay('last,5')).toEqual(['last', '5']);
  expect(weekAndDay('')).toEqual(['1', '1']);
});
