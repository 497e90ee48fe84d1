import { expect, test } from 'vitest';
import { groupByDay, hasSiblings, amountSeenFrom, sumLines, totals, groupSplits } from './group';
import { line } from './line.fixture';

const transfer = line(
  { type: 'Transfer', amount: 50, journal_id: 3, destination_id: 9, destination_name: 'Savings' },
  '7',
);

test('splits are grouped into one transaction, in order', () => {
  const found = groupSplits([
    line({ identifier: 1, journal_id: 5 }, '12'),
    line({ journal_id: 5 }, '11'),
    line({ journal_id: 4 }, '10'),
  ]);
  expect(found.map(({ id, lines }) => [id, lines.map((one) => one.id)])).toEqual([
    ['11', ['11', '12']],
    ['10', ['10']],
  ]);
});

test('a line with its own description is one of several splits', () => {
  expect(hasSiblings(line({ transaction_description: 'Bread', journal_description: 'Market' }))).toBe(true);
  expect(hasSiblings(line())).toBe(false);
  expect(hasSiblings(line({ transaction_description: 'Groceries' }))).toBe(false);
});

test('sums are exact and per currency, without transfers', () => {
  const lines = [
    line({ amount: '-0.1' }),
    line({ amount: '-0.2' }),
    line({ amount: '90071992547409931.23', type: 'Deposit' }),
    line({ amount: -5, currency_code: 'JPY', currency_dp: 0 }),
    transfer,
  ];
  expect(sumLines(lines, null, new Map())).toEqual([
    { code: 'EUR', decimals: 2, units: 9007199254740993093n },
    { code: 'JPY', decimals: 0, units: -5n },
  ]);
});

test('in the list of an account, a transfer has a sign and counts', () => {
  expect(amountSeenFrom(transfer, null)).toEqual({ amount: 50, counts: false });
  expect(amountSeenFrom(transfer, '3')).toEqual({ amount: '-50', counts: true });
  expect(amountSeenFrom(transfer, '9')).toEqual({ amount: '50', counts: true });
  expect(sumLines([transfer], '3', new Map())[0]?.units).toBe(-5000n);
});

test('a payment in another currency counts with the amount charged to the account', () => {
  const dollars = { currency_code: 'USD', foreign_currency_code: 'EUR', foreign_currency_dp: 2 };
  const hat = line({ ...dollars, amount: '-45.60', foreign_amount: '-42.11' });
  const salary = line({
    ...dollars,
    type: 'Deposit',
    source_id: 4,
    destination_id: 3,
    amount: '100',
    foreign_amount: '92.50',
  });
  expect(sumLines([hat, salary, line({ amount: '-1' })], null, new Map([['3', 'EUR']]))).toEqual([
    { code: 'EUR', decimals: 2, units: 4939n },
  ]);
  expect(sumLines([hat], null, new Map([['3', 'USD']]))).toEqual([{ code: 'USD', decimals: 2, units: -4560n }]);
  expect(sumLines([hat], null, new Map([['3', 'JPY']]))).toEqual([{ code: 'USD', decimals: 2, units: -4560n }]);
  const moved = line({ ...dollars, type: 'Transfer', destination_id: 9, amount: '45.60', foreign_amount: '42.11' });
  expect(sumLines([moved], '9', new Map([['9', 'EUR']]))).toEqual([{ code: 'EUR', decimals: 2, units: 4211n }]);
});

test('the total of a transaction is the sum of its splits', () => {
  const [group] = groupSplits([line({ amount: '-2.5' }, '1'), line({ amount: -4, identifier: 1 }, '2')]);
  expect(totals(group!)).toEqual([{ code: 'EUR', decimals: 2, units: -650n }]);
});

test('a day at the edge of a page may continue on another page', () => {
  const all = groupSplits([
    line({ journal_id: 2 }),
    line({ journal_id: 3, date: '2024-05-09' }),
    line({ journal_id: 4, date: '2024-05-08' }),
  ]);
  const cut = (first: boolean, last: boolean): boolean[] =>
    groupByDay(all, null, { first, last }, new Map()).map((one) => one.cut);
  expect(cut(true, true)).toEqual([false, false, false]);
  expect(cut(true, false)).toEqual([false, false, true]);
  expect(cut(false, true)).toEqual([true, false, false]);
});
