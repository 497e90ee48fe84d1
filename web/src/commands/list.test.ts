import { expect, test } from 'vitest';
import type { Entry } from './entries';
import { listFound, type EntryList } from './list';

const entry = (group: Entry['group'], text: string): Entry => ({ id: text, group, text, to: '#/' });
const local = [entry('filters', 'Café bills'), entry('actions', 'New bill'), entry('pages', 'Bills')];
const shown = (lists: EntryList[]): string[] =>
  lists.map(({ group, entries }) => `${group}: ${entries.map(({ text }) => text).join(', ')}`);

test('what begins with the typed words is found, and transactions are searched last', () => {
  expect(shown(listFound('bil', local, [entry('accounts', 'Bill’s bank')], []))).toEqual([
    'filters: Café bills',
    'accounts: Bill’s bank',
    'actions: New bill',
    'pages: Bills',
    'transactions: Search transactions for “bil”',
  ]);
  expect(shown(listFound('cafe', local, [], []))).toEqual([
    'filters: Café bills',
    'transactions: Search transactions for “cafe”',
  ]);
});

test('with nothing typed, what was opened last comes first', () => {
  expect(shown(listFound(' ', local, [], [entry('recent', 'Wallet')]))).toEqual([
    'recent: Wallet',
    'filters: Café bills',
    'actions: New bill',
  ]);
});
