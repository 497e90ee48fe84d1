// The service worker: delivers the app's own files, so that it opens without a network; sends what waits; takes what
// other apps share; and shows what is pushed. It never sees an answer of the API: pages keep those themselves.
// It is built into one file, `sw.js`.
import { sendWaiting } from '$/offline/send';
import { run, type WaitingEntry } from '$/offline/store';
import { followPushed } from '$/push/pushed';
import type { Fetched, Lasting, Synced, Worker } from './scope';

/** The built files, and a name that changes with them; the build puts them in. */
declare const FILES: string[];
declare const BUILD: string;

const worker = globalThis as unknown as Worker;
const { scope } = worker.registration;
const PREFIX = `files ${new URL(scope).pathname} `;
const CURRENT = PREFIX + BUILD;
const known = new Set(FILES.map((name) => new URL(name, scope).href));
/** Also those of the version before, which another tab may still be using. */
const ASSETS = new URL('assets/', scope).href;
const SHARE = new URL('share', scope).href;

worker.addEventListener('install', (event: Lasting) => event.waitUntil(fill()));
worker.addEventListener('activate', (event: Lasting) => event.waitUntil(takeOver()));
worker.addEventListener('message', ({ data }: MessageEvent<string>) => {
  if (data === 'take over') void worker.skipWaiting();
});
worker.addEventListener('fetch', (event: Fetched) => {
  const { request } = event;
  const url = request.url.split(/[?#]/)[0]!;
  if (request.method === 'POST' && url === SHARE) event.respondWith(takeShared(request));
  else if (request.method === 'GET' && (url === scope || known.has(url) || url.startsWith(ASSETS)))
    event.respondWith(deliver(request, url));
});
worker.addEventListener('sync', (event: Synced) => {
  if (event.tag === 'send-waiting') event.waitUntil(sendAll());
});
followPushed(worker);

/** The files have names with a hash, so what the browser has already is right; the page itself is asked for. */
async function fill(): Promise<void> {
  const cache = await caches.open(CURRENT);
  await cache.addAll([new Request(scope, { cache: 'no-cache' }), ...FILES]);
}

/** Deletes the files of older versions, but for the one before. */
async function takeOver(): Promise<void> {
  const older = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CURRENT);
  for (const name of older.slice(0, -1)) await caches.delete(name);
  await worker.clients.claim();
}

async function deliver(request: Request, url: string): Promise<Response> {
  const cache = await caches.open(CURRENT);
  return (await cache.match(url)) ?? (await caches.match(url)) ?? fetch(request);
}

/** Each user's own session sends what is theirs; that of nobody else can. */
async function sendAll(): Promise<void> {
  const all = await run<WaitingEntry[]>(scope, 'waiting', 'readonly', (store) => store.getAll());
  const channel = new BroadcastChannel(`waiting ${scope}`);
  for (const user of new Set(all.map((entry) => entry.user))) {
    const ending = await sendWaiting(scope, user, (sent) =>
      channel.postMessage({ ...sent, entry: { ...sent.entry, files: [], draft: null, before: null } }),
    );
    // The browser tries again later.
    if (ending === 'unreachable') throw new Error('the server does not answer');
  }
  channel.close();
}

/** Keeps the files until a page asks what to do with them. */
async function takeShared(request: Request): Promise<Response> {
  const form = await request.formData();
  const files = form.getAll('files').filter((file) => file instanceof File);
  await run(scope, 'shared', 'readwrite', (store) => store.clear());
  for (const file of files) await run(scope, 'shared', 'readwrite', (store) => store.add(file));
  return Response.redirect(`${scope}#/share`, 303);
}
