// Puts the entries of the search dialog together, by group.
import { t } from '$/messages';
import { href } from '$/shell/router.svelte';
import type { Entry, EntryGroup } from './entries';
import { fits, wordsIn } from './words';

export interface EntryList {
  group: EntryGroup;
  entries: Entry[];
}

/** So many of a group that the server did not limit. */
const EACH = 6;
const ORDER = Object.keys(t.commands.groups) as EntryGroup[];

/** With nothing typed, what was opened last comes first; searching transactions is always the last. */
export function listFound(typed: string, local: Entry[], named: Entry[], recent: Entry[]): EntryList[] {
  const words = wordsIn(typed);
  if (!typed.trim()) return byGroup([...recent, ...local.filter(({ group }) => group !== 'pages')], Infinity);
  const fitting = words.length ? local.filter(({ text, hint }) => fits(words, `${text} ${hint ?? ''}`)) : [];
  return byGroup([...fitting, ...named, searchFor(typed.trim())], EACH);
}

function byGroup(entries: Entry[], most: number): EntryList[] {
  return ORDER.map((group) => ({
    group,
    entries: entries.filter((entry) => entry.group === group).slice(0, most),
  })).filter((entry) => entry.entries.length > 0);
}

function searchFor(query: string): Entry {
  const text = t.commands.transactionsFor(query);
  return { id: `search ${query}`, group: 'transactions', text, to: href('/transactions', { q: query }) };
}
