import { expect, test } from 'vitest';
import { rangeOf, yearIn } from './year';

test('the year stands in the address, or it is this one', () => {
  expect(yearIn(new URLSearchParams('year=2024'), '2026-11-15')).toBe(2024);
  for (const odd of ['', 'year=', 'year=abc', 'year=1', 'year=2024.5'])
    expect(yearIn(new URLSearchParams(odd), '2026-11-15')).toBe(2026);
});

test('a year has its first and its last day', () => {
  expect(rangeOf(2024)).toEqual({ start: '2024-01-01', end: '2024-12-31' });
});
