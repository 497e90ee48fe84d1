// What the service worker does with what is pushed to this browser: shows it, and opens where it leads.
import type { Lasting, Worker } from '$/worker/scope';

interface Shown {
  title: string;
  body: string;
  path: string;
  tag: string;
}
interface Pushed extends Lasting {
  data: { json(): Shown } | null;
}
interface Clicked extends Lasting {
  notification: Notification & { data: Pick<Shown, 'path'> };
}

export function followPushed(worker: Worker): void {
  worker.addEventListener('push', (event: Pushed) => {
    if (event.data) event.waitUntil(show(worker, event.data.json()));
  });
  worker.addEventListener('notificationclick', (event: Clicked) => {
    event.notification.close();
    event.waitUntil(open(worker, event.notification.data.path));
  });
}

/** A repetition has the same tag, so it replaces the first. */
async function show(worker: Worker, { title, body, path, tag }: Shown): Promise<void> {
  await worker.registration.showNotification(title, { body, tag, data: { path } });
}

/** An open page goes there by itself, because it may first have to ask about unsaved changes. */
async function open(worker: Worker, path: string): Promise<void> {
  const { scope } = worker.registration;
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find(({ url }) => url.split(/[#?]/)[0] === scope);
  if (!page) return void (await worker.clients.openWindow(`${scope}#/${path}`));
  page.postMessage({ open: path });
  await page.focus();
}
