import { expect, test } from 'vitest';
import { line } from '../transactions/line.fixture';
import { likelyPayees, momentOf } from './payees';

const bought = (name: string, id: number, date: string, at: string, more = {}) =>
  line({ type: 'Withdrawal', destination_id: id, destination_name: name, date, created_at: at, ...more });
const names = (lines: ReturnType<typeof bought>[], now: { day: string; hour: number }): string[] =>
  likelyPayees(lines, now, 'Europe/Berlin', 8).map(({ name }) => name);

test('payees of this weekday and hour come first, and what was imported says nothing about the hour', () => {
  const lines = [
    // Friday mornings, in summer: 06:10 in UTC is 08:10 in Berlin.
    bought('Café', 1, '2026-06-05', '2026-06-05T06:10:00+00:00'),
    bought('Café', 1, '2026-06-12', '2026-06-12T06:20:00+00:00'),
    bought('Market', 2, '2026-06-13', '2026-06-13T15:00:00+00:00'),
    bought('Market', 2, '2026-06-16', '2026-06-16T15:00:00+00:00'),
    bought('Rent', 3, '2026-06-15', '2026-06-17T06:10:00+00:00'),
  ];

  expect(names(lines, { day: '2026-06-19', hour: 8 })).toEqual(['Café', 'Market', 'Rent']);
  expect(names(lines, { day: '2026-06-20', hour: 17 })[0]).toBe('Market');
});

test('the last expense with a payee is what the next one is like', () => {
  const lines = [
    bought('Café', 1, '2026-06-05', '2026-06-05T06:10:00+00:00', { category_name: 'Old' }),
    bought('Café', 1, '2026-06-12', '2026-06-12T06:20:00+00:00', { category_name: 'Coffee' }),
  ];

  const [café] = likelyPayees(lines, { day: '2026-06-19', hour: 8 }, 'UTC', 8);

  expect(café?.last.category_name).toBe('Coffee');
});

test('a moment is in the time zone of its user', () => {
  expect(momentOf(new Date('2026-06-05T23:30:00Z'), 'Europe/Berlin')).toEqual({ day: '2026-06-06', hour: 1.5 });
});
