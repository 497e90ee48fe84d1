// Lets the service worker keep the app's files, and offers a new version of them when there is one.
import { scope } from '$/offline/device.svelte';

/** Calls `offer` when another version waits. It takes over when that function's argument is called. */
export async function register(offer: (takeOver: () => void) => void): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const wasControlled = navigator.serviceWorker.controller !== null;
  // The first worker takes over by itself, and nothing changes with it.
  let isWanted = false;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (wasControlled && isWanted) location.reload();
  });
  const registration = await navigator.serviceWorker.register(new URL('sw.js', scope), { updateViaCache: 'none' });
  const look = (): void => {
    const { waiting } = registration;
    if (waiting && navigator.serviceWorker.controller)
      offer(() => {
        isWanted = true;
        waiting.postMessage('take over');
      });
  };
  look();
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look));
}
