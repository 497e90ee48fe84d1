import { expect, test } from 'vitest';
import type { Transaction } from '$/api/types';
import { listDifferences } from './differences';

const split = (changes: object): Transaction =>
  ({ attributes: { journal_description: 'Bread', category_name: null, tags: null, ...changes } }) as Transaction;

test('only what changes is listed', () => {
  const after = { category_name: 'Food', tags: 'weekly,home' };

  expect(listDifferences([split({})], [split(after)])).toEqual([
    { field: 'Category', before: '', after: 'Food' },
    { field: 'Tags', before: '', after: 'weekly, home' },
  ]);
});

test('splits that differ are told one by one', () => {
  const before = [split({ category_name: 'Food' }), split({})];
  const after = [split({ category_name: 'Home' }), split({ category_name: 'Home' })];

  expect(listDifferences(before, after)).toEqual([{ field: 'Category', before: 'Food, none', after: 'Home' }]);
});
