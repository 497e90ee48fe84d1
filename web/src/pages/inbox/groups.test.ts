import { expect, test } from 'vitest';
import type { InboxGroup, Suggestion } from '$/api/types';
import { PAGE_MAX, paginate, summarize, toPages } from './groups';

const group = (payee_name: string, count: number): InboxGroup =>
  ({
    payee_name,
    type: 'Withdrawal',
    count,
    transactions: Array.from({ length: count }, (_, at) => ({ transaction_id: `${payee_name} ${at}` })),
  }) as InboxGroup;
const suggestion = (category: string, budget: string | null = null): Suggestion =>
  ({
    category: { name: category, confidence: '0.97', because: [{ transaction_id: '1' }, { transaction_id: '2' }] },
    budget: budget && { name: budget, confidence: '0.8', because: [{ transaction_id: '2' }, { transaction_id: '3' }] },
    tags: [],
    refund: null,
  }) as unknown as Suggestion;

test('pages hold whole groups where possible, and every transaction once', () => {
  const pages = toPages([group('A', PAGE_MAX + 5), group('B', 90), group('C', 5), group('D', 20)]);

  expect(
    pages.map((page) => page.map(({ payee_name, transactions }) => `${payee_name} ${transactions.length}`)),
  ).toEqual([['A 100'], ['A 5', 'B 90', 'C 5'], ['D 20']]);
  expect(paginate(pages, 9)).toMatchObject({ total: 220, current_page: 3, total_pages: 3 });
});

test('a group says what would be set, how sure that is at least, and why', () => {
  const summary = summarize([suggestion('Food', 'Daily'), suggestion('Food'), suggestion('Car')]);

  expect(summary!.names).toBe('Food (2), Car (1), Budget Daily (1)');
  expect(summary!.confidence).toBe(0.8);
  expect(summary!.because.map((one) => one.transaction_id)).toEqual(['1', '2', '3']);
  expect(summarize([])).toBeNull();
  const purchase = { transaction_id: '9', description: 'Boots' };
  const refund = { ...suggestion('Shoes'), refund: { confidence: '0.95', purchase } } as unknown as Suggestion;
  expect(summarize([refund])).toMatchObject({ names: 'Refund of “Boots”, Shoes', confidence: 0.95 });
});
