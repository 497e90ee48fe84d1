import { expect, test } from 'vitest';
import { emptyDraft } from './draft';
import { Entry } from './entry.svelte';

test('no split takes over the category of the first', () => {
  const entry = new Entry(emptyDraft('2026-11-18', 'EUR'));
  entry.draft.splits[0]!.category = 'Car';
  entry.addSplit();
  entry.addSplit();
  expect(entry.draft.splits.map(({ category }) => category)).toEqual(['Car', '', '']);
});
