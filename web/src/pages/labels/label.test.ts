import { expect, test } from 'vitest';
import { findByName, foldSums, fromAccounts, hideUnused, nest, type Label } from './label';
import type { Account } from '$/api/types';

function label(id: string, name: string, parent: string | null = null): Label {
  const created = '2024-01-01T00:00:00+00:00';
  return { id, name, parent, spent: [], earned: [], count: 0, budget: null, accounts: [], created };
}

const all = [label('3', 'Bread', '2'), label('1', 'Car'), label('2', 'Food'), label('4', 'Fuel', '1')];

test('children follow their parents', () => {
  expect(nest(all).map(({ label: { name }, isChild }) => [name, isChild])).toEqual([
    ['Car', false],
    ['Fuel', true],
    ['Food', false],
    ['Bread', true],
  ]);
});

test('a child without its parent stands alone', () => {
  expect(nest([all[0]!]).map(({ isChild }) => isChild)).toEqual([false]);
});

test('a parent shows the sum of its children, by currency', () => {
  const spent = (units: bigint, code = 'EUR') => ({ spent: [{ code, decimals: 2, units }] });
  const [bread, , food] = foldSums([
    { ...all[0]!, ...spent(-250n) },
    { ...all[1]!, ...spent(7n, 'USD') },
    { ...all[2]!, ...spent(2000n) },
  ]);
  expect([bread!.spent[0]!.units, food!.spent]).toEqual([-250n, [{ code: 'EUR', decimals: 2, units: 1750n }]]);
});

test('what nobody uses is hidden, unless it is new or has children', () => {
  const page = { labels: all, unused: new Set(['1', '2', '4']), total: 4 };
  const names = (today: string) => hideUnused(page, today).shown.map(({ name }) => name);
  expect(names('2024-06-01')).toEqual(['Bread', 'Food']);
  expect(names('2024-01-20')).toHaveLength(4);
});

test('accounts of one name are one payee', () => {
  const account = (id: string, type: string) =>
    ({ id, attributes: { name: 'Shop', type, created_at: '' } }) as unknown as Account;
  expect(fromAccounts([account('9', 'Revenue account'), account('8', 'Expense account')])).toMatchObject({
    id: '8',
    accounts: [
      { id: '9', type: 'revenue' },
      { id: '8', type: 'expense' },
    ],
  });
});

test('a name is found in any case, together with its parent', () => {
  expect(findByName(all, ' bREAD').map(({ name }) => name)).toEqual(['Bread', 'Food']);
  expect(findByName(all, '')).toEqual(all);
});
