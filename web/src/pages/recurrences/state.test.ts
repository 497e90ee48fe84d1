import { expect, test } from 'vitest';
import type { Recurrence } from '$/api/types';
import { nextDay, sides, stateOf, totals } from './state';

function shown(more: object): Recurrence['attributes'] {
  return {
    active: true,
    failure: null,
    recurrence_repetitions: [{ occurrences: ['2026-12-01'] }, { occurrences: ['2026-11-20', '2026-12-20'] }],
    transactions: [],
    ...more,
  } as unknown as Recurrence['attributes'];
}

test('the next date is the earliest of all repetitions', () => {
  expect(nextDay(shown({}))).toBe('2026-11-20');
  expect(nextDay(shown({ recurrence_repetitions: [{ occurrences: [] }] }))).toBeNull();
  expect(nextDay(shown({ active: false }))).toBeNull();
});

test('a recurrence is active, paused, ended or failed', () => {
  expect(stateOf(shown({}))).toBe('active');
  expect(stateOf(shown({ failure: 'no' }))).toBe('failed');
  expect(stateOf(shown({ active: false, failure: 'no' }))).toBe('paused');
  expect(stateOf(shown({ recurrence_repetitions: [] }))).toBe('ended');
});

test('splits are summed per currency and never converted', () => {
  const part = (currency_code: string, amount: string, destination_name: string) => ({
    currency_code,
    currency_dp: 2,
    amount,
    source_name: 'Mine',
    destination_name,
  });
  const all = shown({ transactions: [part('EUR', '0.10', 'A'), part('USD', '1.00', 'B'), part('EUR', '0.20', 'A')] });
  expect(totals(all)).toEqual([
    { currency: 'EUR', decimals: 2, amount: 30n },
    { currency: 'USD', decimals: 2, amount: 100n },
  ]);
  expect(sides(all)).toEqual({ source: 'Mine', destination: 'A, B' });
});
