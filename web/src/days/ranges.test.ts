import { expect, test } from 'vitest';
import { rangeInAddress } from './ranges';

test('a range is read from the address, or the default is used', () => {
  const at = (query: string) => rangeInAddress(new URLSearchParams(query), '2026-11-15', '1y');
  expect(at('')).toEqual({ lookback: '1y', start: '2025-11-16', end: '2026-11-15' });
  expect(at('range=3m')).toEqual({ lookback: '3m', start: '2026-08-16', end: '2026-11-15' });
  expect(at('range=constructor').lookback).toBe('1y');
  expect(at('start=2020-01-01&end=2020-02-01')).toEqual({ lookback: null, start: '2020-01-01', end: '2020-02-01' });
  expect(at('start=2020-02-01&end=2020-01-01').lookback).toBe('1y');
  expect(at('start=soon&end=later').lookback).toBe('1y');
  expect(at('start=2020-13-01&end=2021-01-01').lookback).toBe('1y');
});
