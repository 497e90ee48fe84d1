import { describe, expect, it } from 'vitest';
import { daysOf, parseChoice } from './choice';

const VIEW = { range: '1M', newYear: '01-01' };
const parse = (query: string): ReturnType<typeof parseChoice> =>
  parseChoice(new URLSearchParams(query), '2026-11-17', VIEW);

describe('what the address chooses', () => {
  it('is spending by category in the last half year, by month', () => {
    expect(parse('')).toMatchObject({
      preset: '6m',
      start: '2026-06-01',
      end: '2026-11-30',
      step: 'month',
      by: 'category',
      direction: 'spent',
      filters: {},
    });
  });
  it('takes days, a step and filters as they are', () => {
    expect(parse('start=2024-01-01&end=2025-12-31&period=quarter&by=payee&type=earned&category_id=7')).toMatchObject({
      preset: null,
      start: '2024-01-01',
      end: '2025-12-31',
      step: 'quarter',
      by: 'payee',
      direction: 'earned',
      filters: { category_id: '7' },
    });
  });
  it('ignores what cannot be', () => {
    expect(parse('start=2025-01-01&end=2024-01-01&period=hour&by=moon&type=lost')).toMatchObject(parse(''));
    expect(parse('range=5y&period=week').step).toBe('quarter');
  });
  it('uses whole months and the years of the user', () => {
    expect(daysOf('last-month', '2026-03-31', VIEW)).toEqual({ start: '2026-02-01', end: '2026-02-28' });
    expect(daysOf('3m', '2026-03-31', VIEW)).toEqual({ start: '2026-01-01', end: '2026-03-31' });
    expect(daysOf('last-year', '2026-03-31', { range: '1M', newYear: '04-06' })).toEqual({
      start: '2024-04-06',
      end: '2025-04-05',
    });
  });
});
