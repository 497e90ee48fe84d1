import { expect, test } from 'vitest';
import type { Transaction } from '$/api/types';
import { listCandidates, compare, findWarning } from './compare';

const split = (id: string, amount: string, more: Partial<Transaction['attributes']> = {}): Transaction =>
  ({
    id,
    attributes: {
      description: `No ${id}`,
      date: '2024-05-03',
      type: 'Withdrawal',
      amount,
      currency_code: 'EUR',
      currency_dp: 2,
      reconciled: false,
      foreign_amount: null,
      foreign_currency_code: null,
      foreign_currency_dp: null,
      source_id: 3,
      source_name: 'Checking',
      destination_id: 9,
      destination_name: 'Shop',
      ...more,
    },
  }) as unknown as Transaction;

const SPLITS = [
  split('1', '-800.5'),
  split('2', '2000', { type: 'Deposit', source_id: 8, source_name: 'Work', destination_id: 3 }),
  split('3', '-3.25', { reconciled: true }),
  split('4', '100', { type: 'Opening balance', source_id: 7, destination_id: 3 }),
  split('5', '-7', { currency_code: 'USD' }),
];

test('only unreconciled transactions in the account’s currency can be ticked', () => {
  expect(listCandidates(SPLITS, '3', 'EUR')).toEqual([
    { id: '1', day: '2024-05-03', description: 'No 1', other: 'Shop', units: -80050n },
    { id: '2', day: '2024-05-03', description: 'No 2', other: 'Work', units: 200000n },
  ]);
});

test('the difference follows the ticks', () => {
  const shown = listCandidates(SPLITS, '3', 'EUR');
  const balances = { balance: 129625n, marked: 9675n };
  expect(compare(balances, shown, new Set(), 129625n).difference).toBe(119950n);
  expect(compare(balances, shown, new Set(['1']), 129625n)).toEqual({
    ticked: -80050n,
    found: -70375n,
    difference: 200000n,
    earlier: 0n,
  });
  expect(compare(balances, shown, new Set(['1', '2']), 129625n).difference).toBe(0n);
  expect(compare(balances, shown, new Set(['gone']), null).difference).toBeNull();
});

test('unreconciled transactions before the first day shown are summed', () => {
  expect(compare({ balance: 5000n, marked: 0n }, [], new Set(), 0n).earlier).toBe(5000n);
});

test('reconciling nothing, or with a difference, gives a warning', () => {
  expect(findWarning(0, 500n, false)).toBe('nothingTicked');
  expect(findWarning(0, 0n, false)).toBe('agreesAlready');
  expect(findWarning(2, 500n, false)).toBe('differenceStays');
  expect(findWarning(2, 0n, false)).toBe(null);
  expect(findWarning(0, 500n, true)).toBe(null);
  expect(findWarning(0, null, false)).toBe(null);
});
