// What a service worker has. TypeScript knows either pages or workers, and these sources are mostly pages.
export interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
export interface Fetched extends Lasting {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
export interface Synced extends Lasting {
  tag: string;
}
export interface Page {
  url: string;
  focus(): Promise<Page>;
  postMessage(message: { open: string }): void;
}
export interface Worker {
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(which: { type: 'window'; includeUncontrolled: boolean }): Promise<Page[]>;
    openWindow(url: string): Promise<Page | null>;
    claim(): Promise<void>;
  };
  skipWaiting(): Promise<void>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each type of event has listeners of its own
  addEventListener(type: string, listener: (event: any) => void): void;
}
