// All pages. Each is fetched when it is first opened.
import type { Component } from 'svelte';
import { t } from '$/messages';
import { matchPattern } from '$/shell/router.svelte';
import { pages as accounts } from './accounts/pages';
import { pages as bills } from './bills/pages';
import { pages as budgets } from './budgets/pages';
import { pages as dashboard } from './dashboard/pages';
import { pages as imports } from './imports/pages';
import { pages as piggyBanks } from './piggy-banks/pages';
import { pages as recurrences } from './recurrences/pages';
import { pages as rules } from './rules/pages';
import { pages as settings } from './settings/pages';
import { pages as transactions } from './transactions/pages';

// The component receives the named parts of the pattern as properties.
export interface Page {
  pattern: string;
  title: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each page has its own properties
  load: () => Promise<{ default: Component<any> }>;
}

const pages: Page[] = [
  ...dashboard,
  ...accounts,
  ...transactions,
  ...bills,
  ...recurrences,
  ...budgets,
  ...piggyBanks,
  ...rules,
  ...imports,
  ...settings,
];

/** The menu, in order. Pressing `g` and then `key` opens the page. */
export const menu = [
  { path: '/', key: 'd', text: t.nav.dashboard },
  { path: '/accounts', key: 'a', text: t.nav.accounts },
  { path: '/transactions', key: 't', text: t.nav.transactions },
  { path: '/bills', key: 'b', text: t.nav.bills },
  { path: '/recurrences', key: 'r', text: t.nav.recurrences },
  { path: '/budgets', key: 'u', text: t.nav.budgets },
  { path: '/piggy-banks', key: 'p', text: t.nav.piggyBanks },
  { path: '/rules', key: 'l', text: t.nav.rules },
  { path: '/imports', key: 'i', text: t.nav.imports },
  { path: '/settings', key: 's', text: t.nav.settings },
];

export function pageAt(path: string): { page: Page; names: Record<string, string> } | null {
  for (const page of pages) {
    const names = matchPattern(page.pattern, path);
    if (names) return { page, names };
  }
  return null;
}
