// Everything that the search dialog offers without asking the server: pages, actions and saved filters.
import { t } from '$/messages';
import { menu } from '$/pages';
import { session } from '$/session/session.svelte';
import { look, type Theme } from '$/shell/look.svelte';
import { href } from '$/shell/router.svelte';
import { savedFilters, savedReports } from './filters.svelte';

export type EntryGroup = keyof typeof t.commands.groups;

export interface Entry {
  /** Tells it apart from all others, also next time. */
  id: string;
  group: EntryGroup;
  text: string;
  hint?: string;
  /** Where it leads, or what it does. */
  to: string | (() => void);
}

export interface ShellActions {
  signOut: () => void;
  showShortcuts: () => void;
}

const page = (path: string, text: string, hint?: string): Entry => ({
  id: `page ${path}`,
  group: 'pages',
  text,
  ...(hint ? { hint } : {}),
  to: href(path),
});

const SECTIONS = Object.entries(t.settings.sections).filter(([section]) => section !== 'preferences');
const PAGES: Entry[] = [
  ...menu.map(({ path, text }) => page(path, text)),
  ...SECTIONS.map(([section, text]) => page(`/settings/${section}`, text, t.settings.title)),
];

const words = t.commands.actions;
/** What somebody must be allowed in these books. */
type Need = 'mayWrite' | 'hasFullAccess';
const LINKS: [string, string, Need][] = [
  [words.newTransaction, '/transactions/new', 'mayWrite'],
  [words.newAccount, '/accounts/new', 'mayWrite'],
  [words.newBill, '/bills/new', 'mayWrite'],
  [words.newRecurrence, '/recurrences/new', 'mayWrite'],
  [words.newRule, '/rules/new', 'mayWrite'],
  [words.import, '/imports', 'mayWrite'],
  [words.export, '/settings/export', 'hasFullAccess'],
];
const EXPORT = href('/settings/export');
const THEMES: Theme[] = ['light', 'dark', 'auto'];

function listActions({ signOut, showShortcuts }: ShellActions): Entry[] {
  const act = (id: string, text: string, to: Entry['to']): Entry => ({ id: `act ${id}`, group: 'actions', text, to });
  return [
    ...LINKS.filter(([, , need]) => session[need]).map(([text, path]) => act(path, text, href(path))),
    act('hide', look.hidden ? words.showAmounts : words.hideAmounts, () => look.toggleAmounts()),
    ...THEMES.filter((theme) => theme !== look.theme).map((theme) =>
      act(theme, words.themes[theme], () => look.choose(theme)),
    ),
    act('shortcuts', words.shortcuts, showShortcuts),
    act('sign-out', words.signOut, signOut),
  ];
}

export function listEntries(shell: ShellActions): Entry[] {
  const saved = [savedFilters, savedReports].flatMap(({ address, all }) =>
    all().map(({ name, query }): Entry => ({
      id: `${address} ${name}`,
      group: address === savedReports.address ? 'reports' : 'filters',
      text: name,
      to: `${address}${query}`,
    })),
  );
  const pages = PAGES.filter(({ to }) => session.hasFullAccess || to !== EXPORT);
  return [...saved, ...listActions(shell), ...pages];
}
