// A page of the list, with whole transactions even where a page of the API ends between two splits.
import { get } from '$/api/client';
import { search, type SearchResult } from '$/api/search';
import type { ExactNumber } from '$/api/exact';
import type { Pagination, Transaction } from '$/api/types';
import type { Day } from '$/days/days';
import { toQuery, isSearch, range, type Filters } from './filters';
import { hasSiblings, ownAccountOf, groupSplits, type Currencies, type SplitGroup } from './group';

export interface LedgerAccount {
  currency: string;
  decimals: number;
  /** The balance after each split. */
  balances: Record<string, ExactNumber>;
}

export interface TransactionList {
  groups: SplitGroup[];
  /** The currencies of the accounts whose transactions have a foreign amount. */
  currencies: Currencies;
  pagination: Pagination;
  /** The account of the list, if it is that of one account and not a search. */
  account: LedgerAccount | null;
  /** The search did not look further back than this day. */
  searchedFrom: Day | null;
  /** No words begin with the query, so that words were found that contain it. */
  isWidened: boolean;
}

export async function loadList(
  filters: Filters,
  page: number,
  today: Day,
  signal: AbortSignal,
): Promise<TransactionList> {
  const query = { ...toQuery(filters, today), page };
  const [{ data, meta }, account] = await Promise.all([
    isSearch(filters)
      ? search(query, signal)
      : filters.account_id
        ? loadOfAccount(filters.account_id, query, signal)
        : loadPlain(query, signal),
    isSearch(filters) || !filters.account_id ? null : loadAccount(filters.account_id, signal),
  ]);
  const { pagination, searched_from, widened = false } = meta;
  const currencies = await currenciesOf(data, filters.account_id ?? null, signal);
  return {
    groups: groupSplits(data, new Set(meta.not_matching)),
    currencies,
    account: account && { ...account, balances: meta.balances ?? {} },
    pagination,
    isWidened: widened,
    searchedFrom: searched_from ?? cutAt(filters, today, pagination),
  };
}

async function loadPlain(query: Record<string, string | number>, signal: AbortSignal): Promise<SearchResult> {
  const { data, meta } = await get('/api/v1/transactions', { query, signal });
  return { data: await completeGroups(data, isLast(meta.pagination), signal), meta };
}

/** Only the splits that touch the account, seen from it. */
async function loadOfAccount(
  id: string,
  { account_id: _, ...query }: Record<string, string | number>,
  signal: AbortSignal,
): Promise<SearchResult> {
  const options = { path: { id }, query: { ...query, balances: '1' as const }, signal };
  const { data, meta } = await get('/api/v1/accounts/{id}/transactions', options);
  const touches = ({ attributes: { source_id, destination_id } }: Transaction): boolean =>
    [source_id, destination_id].includes(Number(id));
  return { data: (await completeGroups(data, isLast(meta.pagination), signal)).filter(touches), meta };
}

async function loadAccount(id: string, signal: AbortSignal): Promise<{ currency: string; decimals: number }> {
  const { attributes } = (await get('/api/v1/accounts/{id}', { path: { id }, signal })).data;
  return { currency: attributes.currency_code, decimals: attributes.currency_dp };
}

/** How many entries of a list with an exact total are newer than a day. */
export async function countLater(filters: Filters, today: Day, signal: AbortSignal): Promise<number> {
  const { account_id: id, ...query } = toQuery(filters, today);
  const options = { query: { ...query, limit: 1 }, signal };
  const { meta } = id
    ? await get('/api/v1/accounts/{id}/transactions', { path: { id }, ...options })
    : await get('/api/v1/transactions', options);
  return meta.pagination.total;
}

/** Loads account currencies, which lines do not include; only lines with a foreign amount need them. */
async function currenciesOf(lines: Transaction[], from: string | null, signal: AbortSignal): Promise<Currencies> {
  const ids = new Set(
    lines
      .filter(({ attributes }) => attributes.foreign_amount !== null)
      .flatMap((line) => ownAccountOf(line, from) ?? []),
  );
  const known = [...ids].map(
    async (id) =>
      [id, (await get('/api/v1/accounts/{id}', { path: { id }, signal })).data.attributes.currency_code] as const,
  );
  return new Map(await Promise.all(known));
}

const isLast = ({ current_page, total_pages }: Pagination): boolean => current_page >= total_pages;

/** The first day of the list if the API's longest range shortened it; shown on the last page. */
function cutAt(filters: Filters, today: Day, pagination: Pagination): Day | null {
  const { start } = range(filters, today);
  return start && start !== filters.start && isLast(pagination) ? start : null;
}

/** The API pages by splits. A transaction that continues on the next page is completed here and omitted there. */
async function completeGroups(lines: Transaction[], endsHere: boolean, signal: AbortSignal): Promise<Transaction[]> {
  const continued = lines[0] && lines[0].attributes.identifier > 0 ? lines[0].attributes.journal_id : null;
  const own = lines.filter(({ attributes }) => attributes.journal_id !== continued);
  const last = own.at(-1);
  if (endsHere || !last || !hasSiblings(last)) return own;
  const { data } = await get('/api/v1/transactions/{id}', { path: { id: last.id }, signal });
  return [...own.filter(({ attributes }) => attributes.journal_id !== last.attributes.journal_id), ...data];
}
