import { expect, test } from 'vitest';
import { groupByMonth, totalBills, worstState, type BillAttributes, type BillPeriod } from './year';

const payment = (amount: string, currency_code = 'EUR') => ({
  date: '2026-01-01',
  amount,
  currency_code,
  currency_dp: 2,
});

const period = (expected_date: string, state: string, ...amounts: string[]): BillPeriod => ({
  expected_date,
  state,
  payments: amounts.map((amount) => payment(amount)),
});

function bill(currency_code: string, periods: BillPeriod[], more: Partial<BillAttributes> = {}): BillAttributes {
  return {
    amount_min: '9.50',
    amount_max: 11,
    currency_code,
    currency_dp: 2,
    active: true,
    periods,
    ...more,
  } as BillAttributes;
}

test('periods are grouped by the month of their expected date', () => {
  const months = groupByMonth([
    period('2026-01-31', 'paid'),
    period('2026-12-01', 'upcoming'),
    period('2026-12-08', 'upcoming'),
  ]);
  expect(months.map((one) => one.length)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
});

test('a month shows the worst state of its periods', () => {
  expect(worstState([period('2026-01-01', 'paid'), period('2026-01-08', 'overdue'), period('2026-01-15', 'due')])).toBe(
    'overdue',
  );
  expect(worstState([period('2026-01-01', 'paid')])).toBe('paid');
});

test('unpaid periods are summed per currency; a paused bill expects nothing', () => {
  const euros = bill('EUR', [
    period('2026-01-01', 'overdue'),
    period('2026-02-01', 'due'),
    period('2026-03-01', 'upcoming'),
    period('2025-12-01', 'paid', '10', '0.10'),
  ]);
  euros.periods[3]!.payments.push(payment('7', 'USD'));
  const dollars = bill('USD', [period('2026-01-01', 'upcoming')]);
  const paused = bill('EUR', [period('2026-01-01', 'overdue')], { active: false });
  expect(totalBills([euros, dollars, paused])).toEqual([
    {
      currency: 'EUR',
      decimals: 2,
      overdue: { count: 1, least: 950n, most: 1100n },
      toCome: { count: 2, least: 1900n, most: 2200n },
      paid: 1010n,
    },
    {
      currency: 'USD',
      decimals: 2,
      overdue: { count: 0, least: 0n, most: 0n },
      toCome: { count: 1, least: 950n, most: 1100n },
      paid: 700n,
    },
  ]);
});
