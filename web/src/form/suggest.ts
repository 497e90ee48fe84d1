// Fetches suggestions while somebody types: a request for each text, in the shape that Completion shows.
import { get } from '$/api/client';
import { show } from '$/money/money';
import { session } from '$/session/session.svelte';
import { look } from '$/shell/look.svelte';

export interface Suggestion {
  text: string;
  id: string;
  hint?: string;
}

export interface AccountSuggestion extends Suggestion {
  currency: string;
}

export const OWN = 'asset,liabilities';

/** Suggests accounts of the given API types. */
export function suggestAccounts(type: string) {
  return async (query: string, signal: AbortSignal): Promise<AccountSuggestion[]> => {
    const { data } = await get('/api/v1/autocomplete/accounts', { query: { query, type }, signal });
    return data.map((account) => ({
      text: account.name,
      id: account.id,
      currency: account.currency_code,
      hint: account.currency_code === session.currency ? account.type : `${account.type} · ${account.currency_code}`,
    }));
  };
}

/** The account type of the payer or payee. */
export const otherSide = (type: string): string => (type === 'deposit' ? 'revenue' : 'expense');

type LabelPath =
  | '/api/v1/autocomplete/categories'
  | '/api/v1/autocomplete/budgets'
  | '/api/v1/autocomplete/bills'
  | '/api/v1/autocomplete/tags'
  | '/api/v1/autocomplete/object_groups';

function suggestLabels(path: LabelPath) {
  return async (query: string, signal: AbortSignal): Promise<Suggestion[]> => {
    const { data } = await get(path, { query: { query }, signal });
    return data.map(({ id, name }) => ({ id, text: name }));
  };
}

export const categories = suggestLabels('/api/v1/autocomplete/categories');
export const budgets = suggestLabels('/api/v1/autocomplete/budgets');
export const bills = suggestLabels('/api/v1/autocomplete/bills');
export const tags = suggestLabels('/api/v1/autocomplete/tags');
/** The groups of bills and piggy banks. */
export const objectGroups = suggestLabels('/api/v1/autocomplete/object_groups');

export type DescriptionUse = Awaited<ReturnType<typeof findDescriptions>>[number];

async function findDescriptions(query: string, signal: AbortSignal, type?: string, limit?: number) {
  const options = { query: { query, type, limit }, signal };
  return (await get('/api/v1/autocomplete/descriptions', options)).data;
}

/** The own account of the latest transaction. */
export async function findLatestOwn(signal: AbortSignal): Promise<string | null> {
  const [latest] = await findDescriptions('', signal, undefined, 1);
  return latest ? String(latest.type === 'Deposit' ? latest.destination_id : latest.source_id) : null;
}

const RECENT_USES = 50;
const RECENT_PAYEES = 8;

/** Suggests payees or payers; before anything is typed, the latest. */
export function suggestPayees(type: string) {
  const suggestNamed = suggestAccounts(otherSide(type));
  return async (query: string, signal: AbortSignal): Promise<AccountSuggestion[]> => {
    if (query.trim()) return suggestNamed(query, signal);
    const recent = new Map<number, AccountSuggestion>();
    for (const use of await findDescriptions('', signal, type, RECENT_USES)) {
      const [id, text] =
        type === 'deposit' ? [use.source_id, use.source_name] : [use.destination_id, use.destination_name];
      if (!recent.has(id))
        recent.set(id, { id: String(id), text, currency: use.currency_code, hint: use.category_name ?? undefined });
    }
    return recent.size ? [...recent.values()].slice(0, RECENT_PAYEES) : suggestNamed('', signal);
  };
}

export interface DescriptionSuggestion {
  text: string;
  hint: string;
  used: DescriptionUse;
}

/** A description comes with the accounts, category and amount last used with it. */
export async function descriptions(query: string, signal: AbortSignal): Promise<DescriptionSuggestion[]> {
  if (!query.trim()) return [];
  const found = await findDescriptions(query, signal);
  return found.map((used) => {
    const other = used.type === 'Deposit' ? used.source_name : used.destination_name;
    const amount = show(used.amount, { code: used.currency_code, decimals: used.currency_dp }, session.locale);
    return { text: used.description, hint: look.hidden ? other : `${other} · ${amount}`, used };
  });
}
