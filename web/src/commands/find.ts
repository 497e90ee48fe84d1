// Asks the server for everything that has a name, once per pause in typing.
import { get } from '$/api/client';
import { t } from '$/messages';
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
