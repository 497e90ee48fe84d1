// Deletes what is kept on this device.
import { forgetAnswers } from './answers';
import { clearBadge } from './badge';
import { scope } from './device.svelte';
import { removeWaiting, run, waitingOf } from './store';

/** When a user signs out. */
export async function forgetEverything(user: string): Promise<void> {
  clearBadge();
  await forgetAnswers();
  await run(scope, 'shared', 'readwrite', (store) => store.clear());
  for (const { id } of await waitingOf(scope, user)) await removeWaiting(scope, id);
}

/** When another user signs in: what waits of the one before stays, and only they will see it. */
export async function forgetOthers(user: string): Promise<void> {
  await forgetAnswers(user);
}
