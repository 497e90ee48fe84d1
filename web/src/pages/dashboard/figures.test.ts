import { expect, test } from 'vitest';
import type { AvailableBudget } from '$/api/types';
import { convertedFor, filterAhead, sumAvailable, sumsFor, filterDue, type Upcoming } from './figures';

const figure = (key: string, code: string, value: string | number) =>
  ({ key, currency_code: code, currency_decimal_places: 2, monetary_value: value }) as Parameters<
    typeof sumsFor
  >[0][number];

test('the main currency comes first, and spending is a positive amount', () => {
  const all = [
    figure('spent-in-AUD', 'AUD', -5),
    figure('spent-in-EUR', 'EUR', '-90071992547409931.23'),
    figure('earned-in-EUR', 'EUR', 7),
  ];
  expect(sumsFor(all, 'spent', 'EUR')).toEqual([
    { code: 'EUR', decimals: 2, units: 9007199254740993123n },
    { code: 'AUD', decimals: 2, units: 500n },
  ]);
  expect(sumsFor(all, 'earned', 'EUR')).toEqual([{ code: 'EUR', decimals: 2, units: 700n }]);
});

test('converted figures name the day of their rate and what is missing', () => {
  const one = { ...figure('spent-converted-to-EUR', 'EUR', '-12.5'), rate_date: '2026-11-01', missing: ['JPY'] };
  expect(convertedFor([figure('spent-in-EUR', 'EUR', -5), one], 'spent')).toEqual({
    ...{ code: 'EUR', decimals: 2, units: 1250n },
    ...{ rateDate: '2026-11-01', missing: ['JPY'] },
  });
  expect(convertedFor([figure('spent-in-EUR', 'EUR', -5)], 'spent')).toBeNull();
});

test('several available budgets add up', () => {
  const one = (amount: string, spent: string) => ({
    attributes: { currency_code: 'EUR', currency_dp: 2, amount, spent } as AvailableBudget['attributes'],
  });
  expect(sumAvailable([one('1000', '250.50'), one('500', '-99.5')], 'EUR')).toEqual([
    { code: 'EUR', decimals: 2, amount: 150000n, spent: 35000n, units: 115000n, share: 350 / 1500 },
  ]);
});

test('bills are due or overdue, or expected from today on', () => {
  const item = (kind: string, date: string, state: string) => ({ kind, date, state }) as unknown as Upcoming;
  const late = item('bill', '2026-11-01', 'overdue');
  const due = item('bill', '2026-11-15', 'due');
  const soon = item('recurrence', '2026-11-20', 'upcoming');
  const paid = item('bill', '2026-11-21', 'paid');
  const all = [late, due, soon, paid];
  expect(filterDue(all)).toEqual([late, due]);
  expect(filterAhead(all, '2026-11-15')).toEqual([due, soon]);
});
