// Asks the server for everything that has a name, and for transactions, once per pause in typing.
import { get } from '$/api/client';
import { search } from '$/api/search';
import { showFrom } from '$/days/days';
import { t } from '$/messages';
import { show } from '$/money/money';
import { groupSplits, partiesOf, totals, type SplitGroup } from '$/pages/transactions/group';
import { session } from '$/session/session.svelte';
import { look } from '$/shell/look.svelte';
import { href } from '$/shell/router.svelte';
import type { Entry, EntryGroup } from './entries';

const EACH = 5;

type Named = Awaited<ReturnType<typeof ask>>[number];

async function ask(query: string, signal: AbortSignal) {
  return (await get('/api/v1/autocomplete/everything', { query: { query, limit: EACH }, signal })).data;
}

const ADDRESSES: Record<string, (id: string) => string> = {
  accounts: (id) => href(`/accounts/${id}`),
  bills: (id) => href(`/bills/${id}`),
  categories: (id) => href(`/categories/${id}`),
  tags: (id) => href(`/tags/${id}`),
  budgets: (id) => href('/transactions', { budget_id: id }),
  recurrences: (id) => href(`/recurrences/${id}`),
  piggy_banks: () => href('/piggy-banks'),
  rules: (id) => href(`/rules/${id}`),
};

function toEntry({ type, id, name, detail, active }: Named): Entry[] {
  const address = ADDRESSES[type];
  if (!address) return []; // a newer server knows more
  const hint = [detail, active ? null : t.commands.inactive].filter(Boolean).join(' · ');
  return [{ id: `${type} ${id}`, group: type as EntryGroup, text: name, hint, to: address(id) }];
}

export async function findNamed(query: string, signal: AbortSignal): Promise<Entry[]> {
  return (await ask(query, signal)).flatMap(toEntry);
}

/** The newest transactions that match all that was typed: `coffee july >4`. */
export async function findTransactions(typed: string, signal: AbortSignal): Promise<Entry[]> {
  const { data } = await search({ q: typed, limit: EACH }, signal);
  return groupSplits(data).map(toTransaction);
}

/** Payee, description, day and amount. */
function toTransaction(group: SplitGroup): Entry {
  const { type, journal_description: description, date } = group.lines[0]!.attributes;
  const [source, destination] = partiesOf(group);
  const payee = type === 'Deposit' ? source : type === 'Transfer' ? `${source} → ${destination}` : destination;
  const sums = totals(group).map((sum) => (look.hidden ? '•••' : show(sum.units, sum, session.locale)));
  const hint = [
    payee === description ? null : description,
    showFrom(session.today, date, session.locale, 'short'),
    ...sums,
  ];
  const to = href(`/transactions/${group.id}`);
  return {
    id: `transaction ${group.id}`,
    group: 'transactions',
    text: payee,
    hint: hint.filter(Boolean).join(' · '),
    to,
  };
}
