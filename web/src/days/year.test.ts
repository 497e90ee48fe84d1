import { expect, test } from 'vitest';
import { rangeOf, yearIn } from './year';

test('the year is read from the address, or the current year is used', () => {
  expect(yearIn(new URLSearchParams('year=2024'), '2026-11-15')).toBe(2024);
  for (const odd of ['', 'year=', 'year=abc', 'year=1', 'year=2024.5'])
    expect(yearIn(new URLSearchParams(odd), '2026-11-15')).toBe(2026);
});

test('a year has its first and its last day', () => {
  expect(rangeOf(2024)).toEqual({ start: '2024-01-01', end: '2024-12-31' });
});
