// The service worker: shows what is pushed to this browser. It is built into one file, `sw.js`, so it imports nothing.
interface Shown {
  title: string;
  body: string;
  path: string;
  tag: string;
}
// TypeScript knows either pages or workers, and these sources are mostly pages.
interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Pushed extends Lasting {
  data: { json(): Shown } | null;
}
interface Clicked extends Lasting {
  notification: Notification & { data: Pick<Shown, 'path'> };
}
interface Page {
  url: string;
  focus(): Promise<Page>;
  postMessage(message: { open: string }): void;
}
interface WorkerScope {
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(which: { type: 'window'; includeUncontrolled: boolean }): Promise<Page[]>;
    openWindow(url: string): Promise<Page | null>;
  };
  addEventListener(type: 'push', listener: (event: Pushed) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: Clicked) => void): void;
}

const worker = globalThis as unknown as WorkerScope;

worker.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(show(event.data.json()));
});
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

/** A repetition has the same tag, so it replaces the first. */
async function show({ title, body, path, tag }: Shown): Promise<void> {
  await worker.registration.showNotification(title, { body, tag, data: { path } });
}

/** An open page goes there by itself, because it may first have to ask about unsaved changes. */
async function open(path: string): Promise<void> {
  const { scope } = worker.registration;
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find(({ url }) => url.split(/[#?]/)[0] === scope);
  if (!page) return void (await worker.clients.openWindow(`${scope}#/${path}`));
  page.postMessage({ open: path });
  await page.focus();
}
