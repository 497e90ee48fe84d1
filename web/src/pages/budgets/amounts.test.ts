import { expect, test } from 'vitest';
import type { AvailableBudget } from '$/api/types';
import { addUpAvailable } from './amounts';

const available = (id: string, amount: string, days: [string, string], currency_code = 'EUR'): AvailableBudget =>
  ({
    id,
    attributes: { amount, spent: '800.50', start_date: days[0], end_date: days[1], currency_code, currency_dp: 2 },
  }) as unknown as AvailableBudget;

const MAY: [string, string] = ['2024-05-01', '2024-05-31'];

test('amounts for the same days add up, and what was spent on these days counts once', () => {
  const found = addUpAvailable([available('1', '1000', MAY), available('2', '500.25', MAY)]);

  expect(found.map(({ amounts, total, spent }) => [amounts.map((one) => one.id), total, spent])).toEqual([
    [['1', '2'], 150025n, 80050n],
  ]);
});

test('other days and other currencies stand by themselves', () => {
  const found = addUpAvailable([
    available('1', '1000', MAY),
    available('2', '500', ['2024-05-01', '2024-05-15']),
    available('3', '700', MAY, 'USD'),
  ]);

  expect(found.map(({ amounts }) => amounts.map((one) => one.id))).toEqual([['1'], ['2'], ['3']]);
});
