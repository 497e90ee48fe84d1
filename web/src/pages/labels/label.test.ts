import { expect, test } from 'vitest';
import { findByName, nest, type Label } from './label';

function label(id: string, name: string, parent: string | null = null): Label {
  return { id, name, parent, spent: [], earned: [], count: 0, budget: null, type: null };
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

test('a name is found in any case, together with its parent', () => {
  expect(findByName(all, ' bREAD').map(({ name }) => name)).toEqual(['Bread', 'Food']);
  expect(findByName(all, '')).toEqual(all);
});
