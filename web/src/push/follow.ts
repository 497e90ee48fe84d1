// What every page does about pushed notices: goes where somebody has clicked, and keeps the subscription alive.
import { mark } from './mark';

/** Use it while somebody is signed in. */
export function followPushes(user: string, beganAt: string, go: (path: string) => void): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.onmessage = ({ data }: MessageEvent<{ open?: string }>) => {
    if (data.open) go(`/${data.open}`);
  };
  if (mark.get()?.user === user) import('./subscription').then(({ renew }) => renew(user, beganAt)).catch(() => {}); // the next visit tries again
}

/** Use it before somebody signs out. */
export async function leavePushes(): Promise<void> {
  if (mark.get()) await import('./subscription').then(({ forget }) => forget()).catch(() => {});
}
