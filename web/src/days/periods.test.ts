import { expect, test } from 'vitest';
import { chosen, periodOf } from './periods';

test.each([
  ['1D', '2026-11-15', '2026-11-15', '2026-11-15'],
  ['1W', '2026-11-15', '2026-11-09', '2026-11-15'],
  ['1W', '2026-11-16', '2026-11-16', '2026-11-22'],
  ['1M', '2024-02-10', '2024-02-01', '2024-02-29'],
  ['3M', '2026-11-15', '2026-10-01', '2026-12-31'],
  ['6M', '2026-06-30', '2026-01-01', '2026-06-30'],
  ['1Y', '2026-11-15', '2026-01-01', '2026-12-31'],
  ['odd', '2026-11-15', '2026-11-01', '2026-11-30'],
])('%s around %s', (viewRange, day, start, end) => {
  expect(periodOf(viewRange, day)).toEqual({ start, end });
});

test('a fiscal year begins where the preference says', () => {
  expect(periodOf('1Y', '2026-02-15', '04-06')).toEqual({ start: '2025-04-06', end: '2026-04-05' });
  expect(periodOf('3M', '2026-07-05', '04-06')).toEqual({ start: '2026-04-06', end: '2026-07-05' });
  expect(periodOf('3M', '2026-07-06', '04-06')).toEqual({ start: '2026-07-06', end: '2026-10-05' });
});

test('periods lie side by side', () => {
  for (const viewRange of ['1D', '1W', '1M', '3M', '6M', '1Y']) {
    const { end } = periodOf(viewRange, '2026-11-15');
    const next = periodOf(viewRange, new Date(Date.parse(end) + 86_400_000).toISOString().slice(0, 10));
    expect(Date.parse(next.start) - Date.parse(end)).toBe(86_400_000);
  }
});

test('a range comes from the address, or is the usual one', () => {
  const at = (query: string) => chosen(new URLSearchParams(query), '2026-11-15', '1y');
  expect(at('')).toEqual({ lookback: '1y', start: '2025-11-16', end: '2026-11-15' });
  expect(at('range=3m')).toEqual({ lookback: '3m', start: '2026-08-16', end: '2026-11-15' });
  expect(at('range=constructor').lookback).toBe('1y');
  expect(at('start=2020-01-01&end=2020-02-01')).toEqual({ lookback: null, start: '2020-01-01', end: '2020-02-01' });
  expect(at('start=2020-02-01&end=2020-01-01').lookback).toBe('1y');
  expect(at('start=soon&end=later').lookback).toBe('1y');
});
