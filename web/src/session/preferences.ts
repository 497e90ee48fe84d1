// Changes a preference: a list that other tabs and people may change as well.
import { put, read, type Answer } from '$/api/client';
import { session } from './session.svelte';

let last: Promise<unknown> = Promise.resolve();

/** One after the other, because whoever clicks quickly would be refused as if somebody else had changed the list. */
export function changePreference<T>(name: string, change: (list: T[]) => T[]): Promise<Answer<unknown>> {
  const mine = last.then(() => changeStored(name, change));
  last = mine.catch(() => {});
  return mine;
}

/** Reads the list first, because another tab may have changed it; the server refuses if one does meanwhile. */
async function changeStored<T>(name: string, change: (list: T[]) => T[]): Promise<Answer<unknown>> {
  const path = { id: name };
  const { data, etag } = await read('/api/v1/preferences/{id}', { path });
  const list = change(data.data.attributes.data as T[]);
  // The API describes what it takes only by the kind of preference.
  const sent = list as object as Record<string, never>[];
  const answer = await put('/api/v1/preferences/{id}', { data: sent }, { path, match: etag });
  session.preferences = { ...session.preferences, [name]: list };
  return answer;
}

export function listIn<T>(name: string): T[] {
  return (session.preferences[name] as T[] | undefined) ?? [];
}
