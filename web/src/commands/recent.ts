// What was opened last from the search dialog: remembered on this device, for this user and these books.
import type { Entry } from './entries';

const MOST = 8;
const key = (user: string): string => `recent ${user}`;

/** Only entries that lead somewhere; an action is easily typed again, and some are not repeated lightly. */
type RecentEntry = Omit<Entry, 'to'> & { to: string };

export function listRecent(user: string): Entry[] {
  try {
    const found = JSON.parse(localStorage.getItem(key(user)) ?? '[]') as RecentEntry[];
    return found.map((one) => ({ ...one, group: 'recent' as const }));
  } catch {
    return [];
  }
}

export function remember(user: string, { id, text, hint, to }: Entry): void {
  if (typeof to !== 'string') return;
  const others = listRecent(user).filter((one) => one.id !== id);
  const entry = { id, text, to, ...(hint ? { hint } : {}) };
  localStorage.setItem(key(user), JSON.stringify([entry, ...others].slice(0, MOST)));
}
