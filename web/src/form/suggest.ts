// Fetches suggestions while somebody types: one request per pause, in the shape that Completion shows.
import { get } from '$/api/client';
import { show } from '$/money/money';
import { session } from '$/session/session.svelte';
import { look } from '$/shell/look.svelte';

export interface Known {
  text: string;
  id: string;
  hint?: string;
}

export interface KnownAccount extends Known {
  currency: string;
}

export const OWN = 'asset,liabilities';

/** The accounts that fit: one's own, or the other side of a type. */
export function accounts(type: string) {
  return async (query: string, signal: AbortSignal): Promise<KnownAccount[]> => {
    const { data } = await get('/api/v1/autocomplete/accounts', { query: { query, type }, signal });
    return data.map((one) => ({
      text: one.name,
      id: one.id,
      currency: one.currency_code,
      hint: one.currency_code === session.currency ? one.type : `${one.type} · ${one.currency_code}`,
    }));
  };
}

/** Those who pay you are sources of income, those you pay are payees. */
export const otherSide = (type: string): string => (type === 'deposit' ? 'revenue' : 'expense');

type Labels =
  | '/api/v1/autocomplete/categories'
  | '/api/v1/autocomplete/budgets'
  | '/api/v1/autocomplete/bills'
  | '/api/v1/autocomplete/tags';

function labels(path: Labels) {
  return async (query: string, signal: AbortSignal): Promise<Known[]> => {
    const { data } = await get(path, { query: { query }, signal });
    return data.map(({ id, name }) => ({ id, text: name }));
  };
}

export const categories = labels('/api/v1/autocomplete/categories');
export const budgets = labels('/api/v1/autocomplete/budgets');
export const bills = labels('/api/v1/autocomplete/bills');
export const tags = labels('/api/v1/autocomplete/tags');

export type Used = Awaited<ReturnType<typeof usedOf>>[number];

async function usedOf(query: string, signal: AbortSignal) {
  const { data } = await get('/api/v1/autocomplete/descriptions', { query: { query }, signal });
  return data;
}

export interface KnownDescription {
  text: string;
  hint: string;
  used: Used;
}

/** A description comes with the accounts, category and amount last used with it. */
export async function descriptions(query: string, signal: AbortSignal): Promise<KnownDescription[]> {
  if (!query.trim()) return [];
  const found = await usedOf(query, signal);
  return found.map((used) => {
    const other = used.type === 'Deposit' ? used.source_name : used.destination_name;
    const amount = show(used.amount, { code: used.currency_code, decimals: used.currency_dp }, session.locale);
    return { text: used.description, hint: look.hidden ? other : `${other} · ${amount}`, used };
  });
}
