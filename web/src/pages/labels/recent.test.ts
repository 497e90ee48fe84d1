import { expect, test } from 'vitest';
import { collectMonths } from './recent';

type Row = Parameters<typeof collectMonths>[0][number];

const row = (id: string | null, parts: number[], more: object = {}): Row =>
  ({ row: 'label', id, name: id, amounts: parts.length ? [{ parts }] : [], ...more }) as unknown as Row;

test('each label has its months, a later row wins, and what has no label is left out', () => {
  const found = collectMonths([row('1', [5, 5]), row('2', [7, 0]), row('1', [0, 9]), row(null, [3, 3]), row('4', [])]);

  expect(Object.fromEntries(found)).toEqual({ '1': [0, 9], '2': [7, 0] });
});

test('payees of one name have the same months', () => {
  const found = collectMonths([row('8', [1, 2], { account_ids: [8, 9] })]);

  expect(Object.fromEntries(found)).toEqual({ '8': [1, 2], '9': [1, 2] });
});
