// Sends what waits on this device, each entry once and in order. The pages and the service worker run the same code.
import { putWaiting, removeWaiting, waitingOf, type Refusal, type WaitingEntry, type WaitingFile } from './store';

/** One at a time in this browser, whichever tab or worker is first. */
const LOCK = 'farthing-waiting';
/** The server remembers keys for 48 hours. After that an entry that may have arrived is not sent again unasked. */
export const SURE_MS = 47 * 3600_000;
/** Answers that say nothing about the request itself. */
const LATER = [401, 408, 425, 429];
/** The status of an entry that may have arrived, but too long ago for the server to know. */
export const UNSURE = 0;
const CSRF_MISMATCH = 'CsrfTokenMismatchException';

export interface Sent {
  entry: WaitingEntry;
  answer: { text: string; etag: string | null; revision: string | null } | null;
}

/** How it ended: everything was tried; the server did not answer; or nobody, or somebody else, is signed in. */
export type Ending = 'done' | 'unreachable' | 'signed out';

interface Authority {
  scope: string;
  user: string;
  csrf: string;
  onSent: (sent: Sent) => void;
}

export async function sendWaiting(scope: string, user: string, onSent: (sent: Sent) => void): Promise<Ending> {
  return navigator.locks.request(`${LOCK} ${scope}`, async () => {
    const isThere = (await waitingOf(scope, user)).some(({ refusal }) => !refusal);
    if (!isThere) return 'done';
    const csrf = await askForCsrf(scope, user);
    if (csrf === null) return 'signed out';
    if (csrf === undefined) return 'unreachable';
    return sendAll({ scope, user, csrf, onSent });
  });
}

/** Null when this user is not signed in, undefined when the server does not answer. */
async function askForCsrf(scope: string, user: string): Promise<string | null | undefined> {
  try {
    const response = await fetch(new URL('api/v1/session', scope), { cache: 'no-store', credentials: 'same-origin' });
    if (response.status === 401) return null;
    if (!response.ok) return undefined;
    const { data } = (await response.json()) as { data: { attributes: { user_id: string; csrf_token: string } } };
    return data.attributes.user_id === user ? data.attributes.csrf_token : null;
  } catch {
    return undefined;
  }
}

/** Entries that are added meanwhile are sent as well. */
async function sendAll(by: Authority): Promise<Ending> {
  for (;;) {
    const next = (await waitingOf(by.scope, by.user)).find(({ refusal }) => !refusal);
    if (!next) return 'done';
    const ending = await sendOne(by, next);
    if (ending) return ending;
  }
}

/** Null when the next one may follow. */
async function sendOne(by: Authority, entry: WaitingEntry): Promise<Ending | null> {
  if (!entry.saved) {
    if (entry.triedAt && Date.now() - entry.triedAt > SURE_MS) return hold(by, entry, UNSURE_WORDS);
    const tried = { ...entry, triedAt: entry.triedAt ?? Date.now() };
    // Written first: whoever kills the browser now must not make the entry forget that it may have arrived.
    await putWaiting(by.scope, tried);
    const response = await exchange(by, entry, entry.method, entry.path, entry.key, entry.body);
    if (!response) return 'unreachable';
    if (isLater(response.status)) return endingOf(response.status);
    if (!response.ok) return refuse(by, { ...tried, triedAt: null }, response);
    const text = await response.text().catch(() => null);
    if (text === null) return 'unreachable';
    const saved = readIds(text);
    if (entry.files.length && saved) await putWaiting(by.scope, { ...entry, triedAt: null, saved });
    else await removeWaiting(by.scope, entry.id);
    const header = (name: string): string | null => response.headers.get(name);
    by.onSent({ entry, answer: { text, etag: header('ETag'), revision: header('Farthing-Revision') } });
    return null;
  }
  const [file, ...others] = entry.files;
  if (!file) {
    await removeWaiting(by.scope, entry.id);
    return null;
  }
  return sendFile(by, entry, file, others);
}

async function sendFile(
  by: Authority,
  entry: WaitingEntry,
  file: WaitingFile,
  others: WaitingFile[],
): Promise<Ending | null> {
  const body = new FormData();
  body.set('model', 'TransactionJournal');
  body.set('model_id', entry.saved!.journal);
  body.set('file', file.file, file.name);
  const response = await exchange(by, entry, 'POST', '/api/v1/attachments', file.key, body);
  if (!response) return 'unreachable';
  if (isLater(response.status)) return endingOf(response.status);
  if (!response.ok) return refuse(by, entry, response);
  if (others.length) await putWaiting(by.scope, { ...entry, files: others });
  else await removeWaiting(by.scope, entry.id);
  by.onSent({ entry: { ...entry, files: others }, answer: null });
  return null;
}

async function exchange(
  by: Authority,
  { books, match }: WaitingEntry,
  method: string,
  path: string,
  key: string,
  body: BodyInit,
): Promise<Response | null> {
  const headers: Record<string, string> = {
    Accept: 'application/vnd.api+json, application/json',
    'Idempotency-Key': key,
    'X-CSRF-Token': by.csrf,
    ...(books && { 'Farthing-Books': books }),
    ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
    ...(match && typeof body === 'string' && { 'If-Match': match }),
  };
  const url = new URL(path.replace(/^\//, ''), by.scope);
  return fetch(url, { method, headers, body, credentials: 'same-origin' }).catch(() => null);
}

const isLater = (status: number): boolean => status >= 500 || LATER.includes(status);
const endingOf = (status: number): Ending => (status === 401 ? 'signed out' : 'unreachable');

/** Keeps the entry with the server's words, unless only the session has changed meanwhile; the others go on. */
async function refuse(by: Authority, entry: WaitingEntry, response: Response): Promise<Ending | null> {
  const { message, errors, exception } = (await response.json().catch(() => ({}))) as {
    message?: string;
    errors?: Refusal['fields'];
    exception?: string;
  };
  if (exception === CSRF_MISMATCH) return 'signed out';
  return hold(by, entry, { status: response.status, message: message ?? response.statusText, fields: errors ?? {} });
}

const UNSURE_WORDS: Refusal = { status: UNSURE, message: '', fields: {} };

async function hold(by: Authority, entry: WaitingEntry, refusal: Refusal): Promise<null> {
  const held = { ...entry, refusal };
  await putWaiting(by.scope, held);
  by.onSent({ entry: held, answer: null });
  return null;
}

/** The ids may be longer than a number can hold, so they are read as text. */
function readIds(text: string): WaitingEntry['saved'] {
  const id = /"id":\s*"(\d+)"/.exec(text)?.[1];
  const journal = /"journal_id":\s*"?(\d+)/.exec(text)?.[1];
  return id && journal ? { id, journal } : null;
}
