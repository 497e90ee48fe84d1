import { expect, test } from 'vitest';
import { suggestMoment, weekAndDay, weekdayOf } from './moment';

test('a first date suggests the moment of the repetition', () => {
  expect(weekdayOf('2026-11-15')).toBe(7);
  expect(suggestMoment('weekly', '2026-11-16')).toBe('1');
  expect(suggestMoment('monthly', '2026-11-16')).toBe('16');
  expect(suggestMoment('monthly', '2024-02-29')).toBe('last');
  expect(suggestMoment('ndom', '2026-11-11')).toBe('2,3');
  expect(suggestMoment('yearly', '2026-11-11')).toBe('2026-11-11');
  expect(suggestMoment('daily', '2026-11-11')).toBe('');
});

test('an incomplete date suggests the first of the month, or nothing', () => {
  expect(suggestMoment('weekly', '')).toBe('');
  expect(suggestMoment('monthly', '2026')).toBe('1');
});

test('week and weekday are parsed, with defaults when missing', () => {
  expect(weekAndDay('last,5')).toEqual(['last', '5']);
  expect(weekAndDay('')).toEqual(['1', '1']);
});
