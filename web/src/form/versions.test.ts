import { expect, test } from 'vitest';
import { compareVersions, mergeVersions, writeValue } from './versions';

const account = (text: string) => ({ text, id: null, chosenName: '' });
const original = {
  name: 'Rent',
  notes: '',
  own: account('Checking'),
  splits: [{ amount: '1', category: '' }],
  tags: [],
};

test('fields that only one side changed are chosen already, and the rest is mine until chosen', () => {
  const mine = { ...original, name: 'Mine', notes: 'mine', splits: [{ amount: '2', category: '' }] };
  const theirs = { ...original, name: 'Theirs', own: account('Joint'), splits: [{ amount: '1', category: 'Home' }] };

  const found = compareVersions(original, mine, theirs);

  expect(found.map(({ path, choice }) => [path, choice])).toEqual([
    ['name', 'mine'],
    ['notes', 'mine'],
    ['own', 'theirs'],
    ['splits.0.amount', 'mine'],
    ['splits.0.category', 'theirs'],
  ]);
  expect(mergeVersions(mine, found)).toEqual({
    name: 'Mine',
    notes: 'mine',
    own: account('Joint'),
    splits: [{ amount: '2', category: 'Home' }],
    tags: [],
  });
  expect(mine.own.text).toBe('Checking');
});

test('with another number of splits, all of them are one choice', () => {
  const theirs = { ...original, splits: [...original.splits, { amount: '3', category: 'Car' }] };

  const found = compareVersions(original, original, theirs);

  expect(found.map(({ path, mine, theirs }) => [path, writeValue(mine), writeValue(theirs)])).toEqual([
    ['splits', '1', '1; 3 · Car'],
  ]);
  expect(mergeVersions(original, found).splits).toHaveLength(2);
});

test('a condition of a rule is one choice, whatever its key', () => {
  const part = (key: number, value: string) => ({ key, name: 'description_contains', value, stop: false });
  const [before, mine] = [
    { triggers: [part(1, 'tea'), part(2, 'hot')] },
    { triggers: [part(1, 'mate'), part(2, 'hot')] },
  ];
  const theirs = { triggers: [part(3, 'juice'), part(4, 'hot')] };

  const found = compareVersions(before, mine, theirs);

  expect(found.map(({ path, choice }) => [path, choice])).toEqual([['triggers.0', 'mine']]);
});

test('amounts can be hidden, alone and in parts', () => {
  expect(writeValue('12.50', 'opening_balance', true)).toBe('Amount hidden');
  expect(writeValue([{ amount: '3', category: 'Car' }], 'splits', true)).toBe('Amount hidden · Car');
  expect(writeValue('Car', 'category', true)).toBe('Car');
});
