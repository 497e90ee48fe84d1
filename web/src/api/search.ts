// Searches transactions by words.
import { get } from './client';
import type { ExactNumber } from './exact';
import type { Pagination, Transaction } from './types';

export interface SearchResult {
  data: Transaction[];
  meta: {
    pagination: Pagination;
    searched_from?: string | undefined;
    /** The splits of matching transactions that do not match themselves. */
    not_matching?: string[] | undefined;
    widened?: boolean | undefined;
    balances?: Record<string, ExactNumber> | undefined;
  };
}

const NOTHING: SearchResult = {
  data: [],
  meta: { pagination: { total: 0, count: 0, per_page: 1, current_page: 1, total_pages: 1 } },
};

/** The API refuses a query without letters or digits, such as a lone emoji: it cannot match anything. */
export function hasWords(query: string | number | undefined): boolean {
  return !query || /[\p{L}\p{N}]/u.test(String(query));
}

export async function search(
  query: Record<string, string | number | undefined>,
  signal: AbortSignal,
): Promise<SearchResult> {
  if (!hasWords(query.query)) return NOTHING;
  return get('/api/v1/search/transactions', { query, signal });
}
