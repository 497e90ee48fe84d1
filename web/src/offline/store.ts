// What waits or is kept on this device: an IndexedDB that the pages and the service worker share.

/** A file that belongs to a waiting transaction, with the idempotency key of its upload. */
export interface WaitingFile {
  key: string;
  name: string;
  file: Blob;
}

/** Why the server refused what waited: its status, and its words by field. */
export interface Refusal {
  status: number;
  message: string;
  fields: Record<string, string[]>;
}

/** A transaction that was recorded or changed, from when Save was pressed until the server has all of it. */
export interface WaitingEntry {
  /** The order in which entries are sent. */
  id: number;
  /** Only this user's session sends it, and only this user sees it. */
  user: string;
  /** The books of another that it belongs to; empty in one's own. */
  books: string;
  method: 'POST' | 'PUT';
  path: string;
  body: string;
  /** The ETag that a change is based on. */
  match: string | null;
  /** The idempotency key that it got when it was typed. */
  key: string;
  files: WaitingFile[];
  /** The values of its form, to show it again; and those before a change. */
  draft: unknown;
  before: unknown;
  text: string;
  recordedAt: number;
  /** When it was first sent without an answer: it may have arrived. */
  triedAt: number | null;
  refusal: Refusal | null;
  /** What the server made of it, while files are still to be sent. */
  saved: { id: string; journal: string } | null;
}

/** An answer of the API, as it was last read. `place` is the user and the books that it is for. */
export interface KeptAnswer {
  place: string;
  url: string;
  text: string;
  etag: string | null;
  at: number;
}

const VERSION = 1;
let opened: Promise<IDBDatabase> | null = null;

/** Two installations behind one host have databases of their own, by their paths. */
export function nameOf(scope: string): string {
  return `farthing ${new URL(scope).pathname}`;
}

function open(scope: string): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(nameOf(scope), VERSION);
    request.onupgradeneeded = () => {
      const db = request.result;
      db.createObjectStore('waiting', { keyPath: 'id', autoIncrement: true });
      db.createObjectStore('answers', { keyPath: ['place', 'url'] });
      db.createObjectStore('shared', { autoIncrement: true });
    };
    request.onsuccess = () => {
      // Another tab with a newer version of the app must not wait for this one.
      request.result.onversionchange = () => {
        request.result.close();
        opened = null;
      };
      resolve(request.result);
    };
    request.onerror = () => {
      opened = null;
      reject(request.error ?? new Error('no database'));
    };
  });
  return opened;
}

type Name = 'waiting' | 'answers' | 'shared';

/** Runs one request; what it has written is on the disk when this resolves. */
export async function run<T>(
  scope: string,
  name: Name,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const transaction = (await open(scope)).transaction(name, mode, { durability: 'strict' });
  const request = act(transaction.objectStore(name));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error ?? new Error('not stored'));
  });
}

/** The entries of a user that wait, in the order in which they were recorded. */
export async function waitingOf(scope: string, user: string): Promise<WaitingEntry[]> {
  const all = await run<WaitingEntry[]>(scope, 'waiting', 'readonly', (store) => store.getAll());
  return all.filter((entry) => entry.user === user);
}

export async function addWaiting(scope: string, entry: Omit<WaitingEntry, 'id'>): Promise<number> {
  return Number(await run(scope, 'waiting', 'readwrite', (store) => store.add(entry)));
}

export async function putWaiting(scope: string, entry: WaitingEntry): Promise<void> {
  await run(scope, 'waiting', 'readwrite', (store) => store.put(entry));
}

export async function removeWaiting(scope: string, id: number): Promise<void> {
  await run(scope, 'waiting', 'readwrite', (store) => store.delete(id));
}
