// Reads ahead what the app needs to open without a network, by the questions that its pages ask.
import { get } from '$/api/client';
import { categories, budgets, findLatestOwn, OWN, suggestAccounts, suggestPayees, tags } from '$/form/suggest';
import { loadGroups, loadLines } from '$/pages/accounts/lines';
import { loadBills } from '$/pages/bills/list';
import { loadAvailable, loadLeft, loadMonths } from '$/pages/budgets/load';
import { dashboardQuery } from '$/pages/dashboard/query';
import { recentExpenses } from '$/pages/quick/recent';
import { loadList } from '$/pages/transactions/list';
import { session } from '$/session/session.svelte';
import { later } from '$/shell/later.svelte';
import { forgetOldest } from './answers';
import { showOverdue } from './badge';
import { device } from './device.svelte';

const TRANSACTIONS = 500;
const AGAIN_MS = 10 * 60_000;
let filledAt = 0;
let filled = '';

/** One question after the other, so that the page on the screen is not kept waiting. */
export async function fill(signal: AbortSignal): Promise<void> {
  await later.ready;
  const isRecent = filled === `${session.place} ${session.today}` && Date.now() - filledAt < AGAIN_MS;
  if (isRecent || device.asOf !== null || signal.aborted) return;
  [filledAt, filled] = [Date.now(), `${session.place} ${session.today}`];
  const { place, today } = session;
  for (const ask of [...questions(signal), ...lists(signal)]) {
    if (signal.aborted) return;
    await ask();
  }
  await forgetOldest(session.id);
  // From here on, the app can open on this day.
  if (device.asOf === null) device.noteDay(place, today);
}

function questions(signal: AbortSignal): (() => Promise<unknown>)[] {
  const nothing = new URLSearchParams();
  const { today } = session;
  const isNarrow = matchMedia('(max-width: 48rem)').matches;
  return [
    () => get('/api/v1/session', { signal }),
    () => session.look(),
    () => session.refresh(),
    async () => showOverdue((await get('/api/v1/dashboard', { query: dashboardQuery(nothing), signal })).data, today),
    async () => loadLines(await loadGroups(false, signal), signal),
    () => loadBills(Number(today.slice(0, 4)), 1, signal),
    () => Promise.all([loadMonths(today, isNarrow, '', signal), loadAvailable(today, signal), loadLeft(today, signal)]),
    () => suggestAccounts(OWN)('', signal),
    () => suggestPayees('withdrawal')('', signal),
    () => get('/api/v1/transactions', { query: recentExpenses, signal }),
    () => findLatestOwn(signal),
    () => Promise.all([categories, budgets, tags].map((suggest) => suggest('', signal))),
  ];
}

/** The newest transactions, by the pages of their list. */
function lists(signal: AbortSignal): (() => Promise<unknown>)[] {
  const size = Number(session.preferences.listPageSize ?? 50);
  let isOver = false;
  return Array.from({ length: Math.ceil(TRANSACTIONS / size) }, (_, at) => async () => {
    if (isOver) return;
    const { pagination } = await loadList({}, at + 1, session.today, signal);
    isOver = pagination.current_page >= pagination.total_pages;
  });
}
