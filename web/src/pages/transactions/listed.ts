// Which page of the list is shown? Whole transactions, also where a page of the API ends between two splits.
import { get } from '$/api/client';
import type { Pagination, Transaction } from '$/api/types';
import type { Day } from '$/days/days';
import { asked, isSearch, type Filters } from './filters';
import { hasSiblings, wholes, type Whole } from './grouped';

export interface Listed {
  wholes: Whole[];
  pagination: Pagination;
  /** The search gave up at this day; further back nobody looked. */
  searchedFrom: Day | null;
}

export async function listed(filters: Filters, page: number, today: Day, signal: AbortSignal): Promise<Listed> {
  const query = { ...asked(filters, today), page };
  if (isSearch(filters)) {
    const { data, meta } = await get('/api/v1/search/transactions', { query, signal });
    return { wholes: wholes(data), pagination: meta.pagination, searchedFrom: meta.searched_from ?? null };
  }
  const { data, meta } = await get('/api/v1/transactions', { query, signal });
  const isLast = meta.pagination.current_page >= meta.pagination.total_pages;
  return { wholes: wholes(await completed(data, isLast, signal)), pagination: meta.pagination, searchedFrom: null };
}

/** This list counts splits: a transaction that two pages share is shown whole on the first of them. */
async function completed(lines: Transaction[], isLast: boolean, signal: AbortSignal): Promise<Transaction[]> {
  const begun = lines[0] && lines[0].attributes.identifier > 0 ? lines[0].attributes.journal_id : null;
  const own = lines.filter(({ attributes }) => attributes.journal_id !== begun);
  const last = own.at(-1);
  if (isLast || !last || !hasSiblings(last)) return own;
  const { data } = await get('/api/v1/transactions/{id}', { path: { id: last.id }, signal });
  return [...own.filter(({ attributes }) => attributes.journal_id !== last.attributes.journal_id), ...data];
}
