import { expect, test } from 'vitest';
import { Selection } from './selection.svelte';

const ORDER = ['5', '4', '3', '2', '1'];

test('transactions are selected one by one or as a range', () => {
  const selection = new Selection();
  selection.toggle('4', ORDER);
  selection.toggle('2', ORDER, true);
  expect([...selection.chosen].sort()).toEqual(['2', '3', '4']);
  selection.toggle('3', ORDER);
  expect([...selection.chosen].sort()).toEqual(['2', '4']);
});

test('a range also works upwards, and without a start it selects one', () => {
  const selection = new Selection();
  selection.toggle('1', ORDER, true);
  expect([...selection.chosen]).toEqual(['1']);
  selection.toggle('5', ORDER, true);
  expect(selection.size).toBe(5);
});

test('transactions that are no longer on the screen are deselected', () => {
  const selection = new Selection();
  selection.all(ORDER);
  selection.keep(['2', '1', '0']);
  expect([...selection.chosen].sort()).toEqual(['1', '2']);
  selection.clear();
  expect(selection.size).toBe(0);
});
