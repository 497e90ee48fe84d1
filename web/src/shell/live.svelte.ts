// Shows what others change in shared books without reloading: asks for the revision every few seconds.
import { authority, pending } from '$/api/client';
import { session } from '$/session/session.svelte';
import { refreshAll } from './load.svelte';

const LOOK_EVERY_MS = 4_000;
/** Whoever has gone away needs no news, and their session must be able to expire. */
const AWAY_MS = 15 * 60_000;

class Live {
  /** How many changes this tab has made. */
  ownChanges = $state(0);
}

export const live = new Live();
let known = 0;
let lastInput = 0;
let isLooking = false;

/** Use it in an effect, while somebody is signed in; the returned function ends it. */
export function followChanges(): () => void {
  known = session.revision;
  lastInput = Date.now();
  authority.onChanged = noteOwn;
  const ending = new AbortController();
  const options = { signal: ending.signal, passive: true, capture: true };
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'touchstart', 'wheel'])
    addEventListener(event, noteInput, options);
  // Books that nobody else works in change elsewhere, too: on the user's own phone.
  document.addEventListener('visibilitychange', () => void look(), { signal: ending.signal });
  const timer = setInterval(() => {
    if (session.isShared && Date.now() - lastInput < AWAY_MS) void look();
  }, LOOK_EVERY_MS);
  return () => {
    ending.abort();
    clearInterval(timer);
    authority.onChanged = () => {};
  };
}

function noteInput(): void {
  const wasAway = Date.now() - lastInput >= AWAY_MS;
  lastInput = Date.now();
  if (wasAway) void look();
}

/** The page that made the change shows it already. If somebody else was faster, the next look notices. */
function noteOwn(revision: number): void {
  live.ownChanges++;
  if (revision === known + 1) known = revision;
}

async function look(): Promise<void> {
  if (isLooking || document.hidden || !navigator.onLine || session.state !== 'signed in') return;
  isLooking = true;
  try {
    const revision = await session.look();
    // The revision may be that of a change of our own, whose answer is still on its way.
    if (revision === known || pending.writes) return;
    known = revision;
    refreshAll();
    await session.refresh();
  } catch {
    // Whatever is wrong, the page notices it by itself, and the next look may succeed.
  } finally {
    isLooking = false;
  }
}
