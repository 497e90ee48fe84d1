// What somebody typed in one line, as filters of the list. The server understands it, so that everything else that searches does the same.
import { get } from '$/api/client';
import { writeAmount } from '$/money/parse';
import { NAMES, type Filters } from './filters';

export interface Understood {
  filters: Filters;
  /** The names of accounts and labels, by filter and id. */
  known: Record<string, string>;
  /** What could not be understood, in sentences. */
  problem: string;
}

export async function understand(typed: string, signal: AbortSignal): Promise<Understood> {
  const { data } = await get('/api/v1/search/understood', { query: { q: typed }, signal });
  const filters: Filters = {};
  for (const name of NAMES) {
    const value = name in data ? data[name as keyof typeof data] : undefined;
    if (value === undefined) continue;
    if (name === 'no_budget') filters[name] = '1';
    else filters[name] = name.startsWith('amount') ? writeAmount(String(value)) : String(value);
  }
  const known = Object.entries(data.names).map(([name, text]) => [`${name} ${filters[name as keyof Filters]}`, text]);
  return { filters, known: Object.fromEntries(known) as Record<string, string>, problem: data.problems.join(' ') };
}
