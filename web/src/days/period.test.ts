import { expect, test } from 'vitest';
import { nextPeriod, periodOf, previousPeriod, showPeriod, yearOf, type View } from './period';

const by = (range: string, newYear = '01-01'): View => ({ range, newYear });

test.each([
  ['2026-11-15', '1D', '2026-11-15', '2026-11-15'],
  ['2026-11-15', '1W', '2026-11-09', '2026-11-15'],
  ['2026-11-09', '1W', '2026-11-09', '2026-11-15'],
  ['2024-02-10', '1M', '2024-02-01', '2024-02-29'],
  ['2026-11-15', '3M', '2026-10-01', '2026-12-31'],
  ['2026-05-31', '6M', '2026-01-01', '2026-06-30'],
  ['2026-11-15', '1Y', '2026-01-01', '2026-12-31'],
])('%s within %s', (day, range, start, end) => {
  expect(periodOf(day, by(range))).toEqual({ start, end });
});

test.each([
  ['2026-04-05', '04-06', '2025-04-06', '2026-04-05'],
  ['2026-04-06', '04-06', '2026-04-06', '2027-04-05'],
  ['2026-11-16', '04-06', '2026-04-06', '2027-04-05'],
  ['2024-02-28', '02-29', '2023-02-28', '2024-02-28'],
  ['2024-02-29', '02-29', '2024-02-29', '2025-02-27'],
  ['2025-02-28', '02-29', '2025-02-28', '2026-02-27'],
])('%s within a year that begins on %s', (day, newYear, start, end) => {
  expect(yearOf(day, newYear)).toEqual({ start, end });
  expect(periodOf(day, by('1Y', newYear))).toEqual({ start, end });
});

test('years that begin on 29 February follow each other without a gap', () => {
  const own = by('1Y', '02-29');
  const starts = [periodOf('2023-06-01', own)];
  for (let year = 0; year < 4; year++) starts.push(nextPeriod(starts.at(-1)!, own));
  expect(starts.map(({ start }) => start)).toEqual([
    '2023-02-28',
    '2024-02-29',
    '2025-02-28',
    '2026-02-28',
    '2027-02-28',
  ]);
  expect(previousPeriod(starts[2]!, own)).toEqual(starts[1]);
});

test('the first day of the year changes no period shorter than a year', () => {
  for (const range of ['1D', '1W', '1M', '3M', '6M'])
    expect(periodOf('2026-11-16', by(range, '04-06'))).toEqual(periodOf('2026-11-16', by(range)));
});

test('periods follow each other without a gap', () => {
  for (const range of ['1D', '1W', '1M', '3M', '6M', '1Y']) {
    const now = periodOf('2024-02-29', by(range));
    expect(previousPeriod(nextPeriod(now, by(range)), by(range))).toEqual(now);
  }
});

test('a period of one day has one date', () => {
  expect(showPeriod(periodOf('2026-11-16', by('1D')), by('1D'), 'en-US')).toBe('Nov 16, 2026');
  expect(showPeriod(periodOf('2026-11-16', by('1W')), by('1W'), 'en-US')).toBe('Nov 16, 2026 – Nov 22, 2026');
  expect(showPeriod(periodOf('2026-11-16', by('1M')), by('1M'), 'en-US')).toBe('November 2026');
});
