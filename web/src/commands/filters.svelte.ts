// Filters and reports that the user saved under a name: preferences, so that they are there on every device.
import type { Answer } from '$/api/client';
import type { SavedFilter } from '$/api/types';
import { t } from '$/messages';
import { changePreference, listIn } from '$/session/preferences';
import { cards, changeCards, mergeReports, reportsIn, type Named } from '$/session/cards';

type ListChange = (saved: Named[]) => Named[];

/** One list of things that were saved under a name. */
export interface NamedList {
  words: typeof t.commands.filters | typeof t.reports.saved;
  address: string;
  all: () => Named[];
  change: (change: ListChange) => Promise<Answer<unknown>>;
}

export const savedFilters: NamedList = {
  words: t.commands.filters,
  address: '#/transactions?',
  all: () => listIn<SavedFilter>('savedFilters'),
  change: (change) => changePreference<Named>('savedFilters', change),
};

/** Saved reports are cards of the dashboard. A new one is shown there. */
export const savedReports: NamedList = {
  words: t.reports.saved,
  address: '#/reports/',
  all: () => reportsIn(cards()),
  change: (change) => changeCards((all) => mergeReports(all, change(reportsIn(all)))),
};

const sameName = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();

export function hasName(saved: Named[], name: string): boolean {
  return saved.some((one) => sameName(one.name, name));
}
