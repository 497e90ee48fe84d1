import { expect, test } from 'vitest';
import { convertedFor, filterAhead, sumsFor, type Upcoming } from './figures';

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

test('what is expected from today on, a bill and the recurrence that pays it as one', () => {
  const item = (kind: string, id: string, date: string, state: string, counterpart: unknown = null) =>
    ({ kind, id, date, state, counterpart }) as unknown as Upcoming;
  const late = item('bill', '1', '2026-11-01', 'overdue');
  const due = item('bill', '1', '2026-11-15', 'due', { kind: 'recurrence', id: '7', date: '2026-11-16' });
  const pays = item('recurrence', '7', '2026-11-16', 'upcoming', { kind: 'bill', id: '1', date: '2026-11-15' });
  const other = item('recurrence', '7', '2026-12-16', 'upcoming', { kind: 'bill', id: '1', date: '2026-12-15' });
  const paid = item('bill', '2', '2026-11-21', 'paid');
  expect(filterAhead([late, due, pays, other, paid], '2026-11-15')).toEqual([due, other]);
});
