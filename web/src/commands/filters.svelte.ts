// The filters of the transaction list that the user named: a preference, so that they are there on every device.
import { put, read } from '$/api/client';
import type { Answer } from '$/api/client';
import type { SavedFilter } from '$/api/types';
import { session } from '$/session/session.svelte';

const path = { id: 'savedFilters' };

export function savedFilters(): SavedFilter[] {
  return (session.preferences.savedFilters as SavedFilter[] | undefined) ?? [];
}

type ListChange = (filters: SavedFilter[]) => SavedFilter[];
let last: Promise<unknown> = Promise.resolve();

/** One after the other, because whoever clicks quickly would be refused as if somebody else had changed the list. */
export function changeFilters(change: ListChange): Promise<Answer<unknown>> {
  const mine = last.then(() => changeStored(change));
  last = mine.catch(() => {});
  return mine;
}

/** Reads the list first, because another tab may have changed it; the server refuses if one does meanwhile. */
async function changeStored(change: ListChange): Promise<Answer<unknown>> {
  const { data, etag } = await read('/api/v1/preferences/{id}', { path });
  const filters = change(data.data.attributes.data as SavedFilter[]);
  // The API describes the objects that it takes only by their kind of preference.
  const sent = filters as object as Record<string, never>[];
  const answer = await put('/api/v1/preferences/{id}', { data: sent }, { path, match: etag });
  session.preferences = { ...session.preferences, savedFilters: filters };
  return answer;
}

const sameName = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();

export function hasName(filters: SavedFilter[], name: string): boolean {
  return filters.some((one) => sameName(one.name, name));
}
