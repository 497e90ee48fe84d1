import { expect, test } from 'vitest';
import { next, periodOf, previous, titled } from './period';

test.each([
  ['2026-11-15', '1D', '2026-11-15', '2026-11-15'],
  ['2026-11-15', '1W', '2026-11-09', '2026-11-15'],
  ['2026-11-09', '1W', '2026-11-09', '2026-11-15'],
  ['2024-02-10', '1M', '2024-02-01', '2024-02-29'],
  ['2026-11-15', '3M', '2026-10-01', '2026-12-31'],
  ['2026-05-31', '6M', '2026-01-01', '2026-06-30'],
  ['2026-11-15', '1Y', '2026-01-01', '2026-12-31'],
])('%s within %s', (day, range, start, end) => {
  expect(periodOf(day, range)).toEqual({ start, end });
});

test('periods follow each other without a gap', () => {
  for (const range of ['1D', '1W', '1M', '3M', '6M', '1Y']) {
    const now = periodOf('2024-02-29', range);
    expect(previous(next(now, range), range)).toEqual(now);
  }
});

test('a period of one day has one date', () => {
  expect(titled(periodOf('2026-11-16', '1D'), '1D', 'en-US')).toBe('Nov 16, 2026');
  expect(titled(periodOf('2026-11-16', '1W'), '1W', 'en-US')).toBe('Nov 16, 2026 – Nov 22, 2026');
  expect(titled(periodOf('2026-11-16', '1M'), '1M', 'en-US')).toBe('November 2026');
});
