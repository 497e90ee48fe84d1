import { expect, test } from 'vitest';
import { forPeople } from './sentences';

test('names of fields are left out of sentences', () => {
  expect(forPeople('Choose the account that this file belongs to (account_id). It names “X”.')).toBe(
    'Choose the account that this file belongs to. It names “X”.',
  );
  expect(forPeople('It was deleted: import with deleted=again to get it back.')).toBe('It was deleted.');
  expect(forPeople('Not undone. Undo with force=1 to delete these as well.')).toBe('Not undone.');
});
