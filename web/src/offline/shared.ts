// The files that another app has shared, which the service worker has taken.
import { scope } from './device.svelte';
import { run } from './store';

/** Each is taken once. */
export async function takeShared(): Promise<File[]> {
  const files = await run<File[]>(scope, 'shared', 'readonly', (store) => store.getAll());
  await run(scope, 'shared', 'readwrite', (store) => store.clear());
  return files;
}

/** A receipt is a picture or a PDF; the rest is for an import. */
export const isReceipt = ({ type, name }: File): boolean =>
  type.startsWith('image/') || type === 'application/pdf' || /\.pdf$/i.test(name);
