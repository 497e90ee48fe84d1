// Subscribes this browser to notices, and ends that. Loaded only where somebody wants it.
import { base, get, post } from '$/api/client';
import { t } from '$/messages';
import { decode } from '$/session/passkeys';
import { mark } from './mark';

const words = t.occasions.devices;

/** The browser did not subscribe; the message says why. */
export class NotSubscribed extends Error {}

/** Why notices cannot be shown in this browser, or null if they can. */
export function findHindrance(
  isSecure = globalThis.isSecureContext,
  knowsPush = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis,
  permission = knowsPush ? Notification.permission : 'default',
): string | null {
  if (!isSecure) return words.needHttps;
  if (!knowsPush) return words.unsupported;
  return permission === 'denied' ? words.denied : null;
}

export async function subscribe(user: string, beganAt: string): Promise<void> {
  const hindrance = findHindrance();
  if (hindrance) throw new NotSubscribed(hindrance);
  if ((await Notification.requestPermission()) !== 'granted')
    throw new NotSubscribed(findHindrance() ?? words.dismissed);
  await navigator.serviceWorker.register(new URL('sw.js', base));
  const { data } = await post('/api/v1/notices/push/key', undefined);
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: decode(data.data.public_key) };
  // A subscription with the key of another installation is of no use.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe(options).catch(() => {
    throw new NotSubscribed(words.noService);
  });
  await send(made, user, beganAt);
}

async function send(made: PushSubscription, user: string, beganAt: string): Promise<void> {
  const { endpoint, keys } = made.toJSON();
  await post('/api/v1/notices/push', { endpoint, p256dh: keys?.p256dh, auth: keys?.auth });
  mark.set({ user, beganAt, endpoint: made.endpoint });
}

/** Subscribes again after the user has signed in anew, or when the browser has changed its address. */
export async function renew(user: string, beganAt: string): Promise<void> {
  const known = mark.get();
  if (known?.user !== user) return;
  const registration = await navigator.serviceWorker.getRegistration(base);
  const made = await registration?.pushManager.getSubscription();
  if (!made) return mark.clear();
  if (known.beganAt !== beganAt) return send(made, user, beganAt);
  const { data } = await get('/api/v1/notices/push');
  // Whoever has removed this device elsewhere means it.
  if (!data.some(({ attributes }) => attributes.current)) return forget();
  if (known.endpoint !== made.endpoint) await send(made, user, beganAt);
}

/** Nothing of this user is shown here any more, neither new notices nor those on the screen. */
export async function forget(): Promise<void> {
  mark.clear();
  const registration = await navigator.serviceWorker.getRegistration(base);
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
