import { expect, test } from 'vitest';
import type { ImportPreviewRow } from '$/api/types';
import { acceptFilled, choose, valuesOf } from './values';

const row = (category: string | null, suggested: [string, string] | null): ImportPreviewRow =>
  ({
    row: 2,
    outcome: 'new',
    transactions: [
      { type: 'withdrawal', tags: ['car'], splits: [{ destination_name: 'Shell', category_name: category }] },
    ],
    suggestion: suggested && { category: { name: suggested[0], confidence: suggested[1] }, payee: null },
  }) as unknown as ImportPreviewRow;

test('a sure suggestion is filled in, an unsure one is offered, and a choice is stronger than both', () => {
  const [sure, unsure] = [row(null, ['Car', '0.97']), row(null, ['Car', '0.5'])];

  expect(valuesOf(sure)!.category).toEqual({ text: 'Car', isSuggested: true, offered: null });
  expect(valuesOf(unsure)!.category).toEqual({ text: '', isSuggested: false, offered: 'Car' });
  const none = choose({}, 2, 'category', '');
  expect(valuesOf(sure, none[2])!.category).toEqual({ text: '', isSuggested: false, offered: null });
  expect(valuesOf(sure)!.payee).toEqual({ text: 'Shell', isSuggested: false, offered: null });
});

test('tags and budgets are chosen like the rest, and suggested tags are added to those of the row', () => {
  const tag = { name: 'fuel', confidence: '0.95' };
  const budget = { name: 'Transport', confidence: '0.5' };
  const filled = { ...row(null, null), suggestion: { tags: [tag], budget } } as unknown as ImportPreviewRow;

  expect(valuesOf(filled)!.tags).toEqual({ text: 'car, fuel', isSuggested: true, offered: null });
  expect(valuesOf(filled)!.budget).toEqual({ text: '', isSuggested: false, offered: 'Transport' });
  expect(acceptFilled({}, [filled])[2]).toMatchObject({ tags: ['car', 'fuel'], budget_name: null });
  expect(choose({}, 2, 'tags', '')[2]!.tags).toEqual([]);
  const income = { ...filled, transactions: [{ ...filled.transactions[0]!, type: 'deposit' }] };
  expect(valuesOf(income)!.budget).toBeUndefined();
});

test('only what is filled in is kept with the import', () => {
  const rows = [row(null, ['Car', '0.97']), { ...row(null, ['Car', '0.5']), row: 3 }, { ...row('Food', null), row: 4 }];

  expect(acceptFilled({}, rows)).toEqual({
    2: { category_name: 'Car', payee_name: null, budget_name: null, tags: null },
  });
  expect(acceptFilled(choose({}, 2, 'category', 'Fuel'), rows)[2]!.category_name).toBe('Fuel');
});
