// Which page of the list is shown? Whole transactions, also where a page of the API ends between two splits.
import { get } from '$/api/client';
import { search } from '$/api/search';
import type { Pagination, Transaction } from '$/api/types';
import type { Day } from '$/days/days';
import { asked, isSearch, range, type Filters } from './filters';
import { hasSiblings, wholes, type Whole } from './grouped';

export interface Listed {
  wholes: Whole[];
  pagination: Pagination;
  /** Further back than this day nobody looked. */
  searchedFrom: Day | null;
}

export async function listed(filters: Filters, page: number, today: Day, signal: AbortSignal): Promise<Listed> {
  const query = { ...asked(filters, today), page };
  if (isSearch(filters)) {
    const { data, meta } = await search(query, signal);
    return { wholes: wholes(data), pagination: meta.pagination, searchedFrom: meta.searched_from ?? cutAt(filters, today, meta.pagination) };
  }
  const { data, meta } = await get('/api/v1/transactions', { query, signal });
  return { wholes: wholes(await completed(data, isLast(meta.pagination), signal)), pagination: meta.pagination, searchedFrom: cutAt(filters, today, meta.pagination) };
}

const isLast = ({ current_page, total_pages }: Pagination): boolean => current_page >= total_pages;

/** Where the API's longest range began later than was asked for; it matters to whoever has seen the rest. */
function cutAt(filters: Filters, today: Day, pagination: Pagination): Day | null {
  const { start } = range(filters, today);
  return start && start !== filters.start && isLast(pagination) ? start : null;
}

/** This list counts splits: a transaction that two pages share is shown whole on the first of them. */
async function completed(lines: Transaction[], endsHere: boolean, signal: AbortSignal): Promise<Transaction[]> {
  const begun = lines[0] && lines[0].attributes.identifier > 0 ? lines[0].attributes.journal_id : null;
  const own = lines.filter(({ attributes }) => attributes.journal_id !== begun);
  const last = own.at(-1);
  if (endsHere || !last || !hasSiblings(last)) return own;
  const { data } = await get('/api/v1/transactions/{id}', { path: { id: last.id }, signal });
  return [...own.filter(({ attributes }) => attributes.journal_id !== last.attributes.journal_id), ...data];
}
