// All pages. Each is fetched when it is first opened.
import ArrowLeftRight from '@lucide/svelte/icons/arrow-left-right';
import CalendarClock from '@lucide/svelte/icons/calendar-clock';
import CalendarDays from '@lucide/svelte/icons/calendar-days';
import ChartColumn from '@lucide/svelte/icons/chart-column';
import ChartPie from '@lucide/svelte/icons/chart-pie';
import House from '@lucide/svelte/icons/house';
import Inbox from '@lucide/svelte/icons/inbox';
import Landmark from '@lucide/svelte/icons/landmark';
import PiggyBank from '@lucide/svelte/icons/piggy-bank';
import Receipt from '@lucide/svelte/icons/receipt';
import Settings from '@lucide/svelte/icons/settings';
import Shapes from '@lucide/svelte/icons/shapes';
import Store from '@lucide/svelte/icons/store';
import Tag from '@lucide/svelte/icons/tag';
import Upload from '@lucide/svelte/icons/upload';
import Wand from '@lucide/svelte/icons/wand-sparkles';
import type { Component } from 'svelte';
import { t } from '$/messages';
import { matchPattern } from '$/shell/router.svelte';
import { pages as accounts } from './accounts/pages';
import { pages as bills } from './bills/pages';
import { pages as budgets } from './budgets/pages';
import { pages as calendar } from './calendar/pages';
import { pages as dashboard } from './dashboard/pages';
import { pages as imports } from './imports/pages';
import { pages as inbox } from './inbox/pages';
import { pages as labels } from './labels/pages';
import { pages as notices } from './notices/pages';
import type { Page } from './page';
import { pages as piggyBanks } from './piggy-banks/pages';
import { pages as quick } from './quick/pages';
import { pages as rates } from './rates/pages';
import { pages as recurrences } from './recurrences/pages';
import { pages as reports } from './reports/pages';
import { pages as rules } from './rules/pages';
import { pages as settings } from './settings/pages';
import { pages as transactions } from './transactions/pages';
import { pages as waiting } from './waiting/pages';

const pages: Page[] = [
  ...dashboard,
  ...accounts,
  ...transactions,
  ...inbox,
  ...notices,
  ...bills,
  ...recurrences,
  ...budgets,
  ...calendar,
  ...labels,
  ...piggyBanks,
  ...reports,
  ...rules,
  ...imports,
  ...settings,
  ...rates,
  ...waiting,
  ...quick,
];

export interface MenuItem {
  path: string;
  /** Pressing `g` and then this key opens the page. */
  key: string;
  text: string;
  group: keyof typeof t.nav.groups;
  icon: Component;
}

/** The menu, in order. */
export const menu: MenuItem[] = [
  { path: '/', key: 'd', text: t.nav.dashboard, group: 'money', icon: House },
  { path: '/accounts', key: 'a', text: t.nav.accounts, group: 'money', icon: Landmark },
  { path: '/transactions', key: 't', text: t.nav.transactions, group: 'money', icon: ArrowLeftRight },
  { path: '/inbox', key: 'x', text: t.nav.inbox, group: 'money', icon: Inbox },
  { path: '/bills', key: 'b', text: t.nav.bills, group: 'plan', icon: Receipt },
  { path: '/recurrences', key: 'r', text: t.nav.recurrences, group: 'plan', icon: CalendarClock },
  { path: '/calendar', key: 'k', text: t.nav.calendar, group: 'plan', icon: CalendarDays },
  { path: '/budgets', key: 'u', text: t.nav.budgets, group: 'plan', icon: ChartPie },
  { path: '/piggy-banks', key: 'p', text: t.nav.piggyBanks, group: 'plan', icon: PiggyBank },
  { path: '/reports', key: 'o', text: t.nav.reports, group: 'understand', icon: ChartColumn },
  { path: '/categories', key: 'c', text: t.nav.categories, group: 'understand', icon: Shapes },
  { path: '/tags', key: 'l', text: t.nav.tags, group: 'understand', icon: Tag },
  { path: '/payees', key: 'y', text: t.nav.payees, group: 'understand', icon: Store },
  { path: '/rules', key: 'e', text: t.nav.rules, group: 'setUp', icon: Wand },
  { path: '/imports', key: 'i', text: t.nav.imports, group: 'setUp', icon: Upload },
  { path: '/settings', key: 's', text: t.nav.settings, group: 'setUp', icon: Settings },
];

export function pageAt(path: string): { page: Page; names: Record<string, string> } | null {
  for (const page of pages) {
    const names = matchPattern(page.pattern, path);
    if (names) return { page, names };
  }
  return null;
}

/** The item of the menu that a page belongs to. */
export function menuItemAt(path: string): MenuItem | undefined {
  return menu.findLast((item) => path === item.path || (item.path !== '/' && path.startsWith(`${item.path}/`)));
}
