import { afterEach, expect, test, vi } from 'vitest';
import type { Filters } from './filters';
import { loadList } from './list';
import { line } from './line.fixture';

const { get } = vi.hoisted(() => ({ get: vi.fn() }));
vi.mock('$/api/client', () => ({ get }));
afterEach(() => get.mockReset());

const signal = new AbortController().signal;
const meta = (current_page: number, total_pages = 3) => ({
  pagination: { total: 9, count: 3, per_page: 3, current_page, total_pages },
});
const split = (identifier: number, id: string) =>
  line({ journal_id: 7, identifier, transaction_description: `part ${identifier}`, journal_description: 'Market' }, id);

test('a transaction that continues on the next page is completed on the first', async () => {
  get.mockResolvedValueOnce({ data: [line({ journal_id: 8 }, '20'), split(0, '10')], meta: meta(1) });
  get.mockResolvedValueOnce({ data: [split(0, '10'), split(1, '11')] });
  const { groups } = await loadList({}, 1, '2026-11-15', signal);
  expect(groups.map(({ id, lines }) => [id, lines.length])).toEqual([
    ['20', 1],
    ['10', 2],
  ]);
  expect(get).toHaveBeenLastCalledWith('/api/v1/transactions/{id}', { path: { id: '10' }, signal });
});

test('a transaction completed on the page before is not shown again', async () => {
  get.mockResolvedValueOnce({ data: [split(1, '11'), line({ journal_id: 6 }, '9')], meta: meta(2) });
  const { groups } = await loadList({}, 2, '2026-11-15', signal);
  expect(groups.map(({ id }) => id)).toEqual(['9']);
  expect(get).toHaveBeenCalledTimes(1);
});

test('the last page needs no second request', async () => {
  get.mockResolvedValueOnce({ data: [split(0, '10'), split(1, '11')], meta: meta(3) });
  expect((await loadList({}, 3, '2026-11-15', signal)).groups[0]?.lines).toHaveLength(2);
  expect(get).toHaveBeenCalledTimes(1);
});

test('a search finds complete transactions and says how far back it looked', async () => {
  get.mockResolvedValueOnce({
    data: [split(0, '10'), split(1, '11')],
    meta: { ...meta(1), searched_from: '2020-01-01' },
  });
  const found = await loadList({ query: 'market' }, 1, '2026-11-15', signal);
  expect([found.searchedFrom, found.groups.length]).toEqual(['2020-01-01', 1]);
  expect(get).toHaveBeenCalledWith('/api/v1/search/transactions', { query: { query: 'market', page: 1 }, signal });
});

test('the list of an account has its splits only, with the balance after each', async () => {
  get.mockImplementation((path: string) =>
    Promise.resolve(
      path === '/api/v1/accounts/{id}'
        ? { data: { attributes: { currency_code: 'EUR', currency_dp: 2 } } }
        : { data: [line({ source_id: 3 }, '10')], meta: { ...meta(3), balances: { '10': 5 } } },
    ),
  );
  const found = await loadList({ account_id: '3', type: 'deposit' }, 3, '2026-11-15', signal);
  expect(found.account).toEqual({ currency: 'EUR', decimals: 2, balances: { '10': 5 } });
  const query = { type: 'deposit', page: 3, balances: '1' };
  expect(get).toHaveBeenCalledWith('/api/v1/accounts/{id}/transactions', { path: { id: '3' }, query, signal });
});

test('a list shortened by the longest range says so on its last page', async () => {
  get.mockResolvedValue({ data: [line()], meta: meta(3) });
  const lookedBack = async (filters: Filters, page = 3) =>
    (await loadList(filters, page, '2026-11-15', signal)).searchedFrom;
  expect(await lookedBack({ start: '1990-01-01' })).toBe('2007-12-15');
  expect(await lookedBack({ end: '2026-01-31', query: 'market' })).toBe('2006-02-28');
  expect(await lookedBack({ start: '2026-01-01' })).toBeNull();
  expect(await lookedBack({})).toBeNull();
  get.mockResolvedValue({ data: [line()], meta: meta(1) });
  expect(await lookedBack({ start: '1990-01-01' }, 1)).toBeNull();
});

test('the currency of an account with a foreign amount is loaded once', async () => {
  const abroad = {
    currency_code: 'USD',
    foreign_amount: '-42.11',
    foreign_currency_code: 'EUR',
    foreign_currency_dp: 2,
  };
  get.mockResolvedValueOnce({
    data: [line(abroad), line({ ...abroad, journal_id: 2 }), line({ journal_id: 3, source_id: 8 })],
    meta: meta(3),
  });
  get.mockResolvedValueOnce({ data: { attributes: { currency_code: 'EUR' } } });
  expect((await loadList({}, 3, '2026-11-15', signal)).currencies).toEqual(new Map([['3', 'EUR']]));
  expect(get).toHaveBeenCalledTimes(2);
});
