import { expect, test } from 'vitest';
import { changesOf, isIncomplete, type Changes } from './bulk';

const untouched: Changes = {
  category: 'leave',
  categoryName: '',
  budget: 'leave',
  budgetName: '',
  tags: 'leave',
  tagNames: [],
};

test('only the chosen changes are sent', () => {
  expect(changesOf(untouched)).toEqual({});
  expect(changesOf({ ...untouched, category: 'set', categoryName: ' Food ', budget: 'none' })).toEqual({
    category_name: 'Food',
    budget_id: null,
  });
  expect(changesOf({ ...untouched, tags: 'add', tagNames: ['a'] })).toEqual({ add_tags: ['a'] });
  expect(changesOf({ ...untouched, tags: 'replace' })).toEqual({ tags: [] });
});

test('a chosen change needs a value', () => {
  expect(isIncomplete(untouched)).toBe(true);
  expect(isIncomplete({ ...untouched, category: 'set', categoryName: ' ' })).toBe(true);
  expect(isIncomplete({ ...untouched, tags: 'remove' })).toBe(true);
  expect(isIncomplete({ ...untouched, tags: 'replace' })).toBe(false);
  expect(isIncomplete({ ...untouched, category: 'none' })).toBe(false);
});
