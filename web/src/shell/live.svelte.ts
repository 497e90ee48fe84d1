// Shows what others change, and what the user changes elsewhere, without reloading: listens for changes. Where nothing
// comes through, asks for the revision of shared books every few seconds.
import { authority, pending } from '$/api/client';
import { listen } from '$/api/events';
import { session } from '$/session/session.svelte';
import { later } from './later.svelte';
import { refreshAll } from './load.svelte';

const LOOK_EVERY_MS = 4_000;
/** After a stream that did not say when to return, because nothing came through. */
const DEAF_MS = 60_000;
/** When an answer is on its way, its revision is known soon. */
const AGAIN_MS = 300;
/** Whoever has gone away needs no news, and their session must be able to expire. */
const AWAY_MS = 15 * 60_000;

class Live {
  /** How many changes this tab has made. */
  ownChanges = $state(0);
}

export const live = new Live();
/** The revision that the page shows, and the last one that the server named. */
let known = 0;
let heard = 0;
let lastInput = 0;
let isLooking = false;
let isListening = false;
/** Ends the stream. */
let interruption = new AbortController();
/** Ends the pause between two streams, or skips the next one. */
let wake: (() => void) | null = null;
let isWoken = false;

/** Use it in an effect, while somebody is signed in; the returned function ends it. */
export function followChanges(): () => void {
  known = heard = session.revision;
  lastInput = Date.now();
  authority.onChanged = noteOwn;
  const ending = new AbortController();
  const options = { signal: ending.signal, passive: true, capture: true };
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'touchstart', 'wheel'])
    addEventListener(event, noteInput, options);
  document.addEventListener('visibilitychange', goOn, { signal: ending.signal });
  addEventListener('online', goOn, { signal: ending.signal });
  const timer = setInterval(() => {
    if (isAway()) interruption.abort();
    else if (!isListening && session.isShared) void look();
  }, LOOK_EVERY_MS);
  void keepListening(ending.signal);
  return () => {
    ending.abort();
    interruption.abort();
    wake?.();
    clearInterval(timer);
    authority.onChanged = () => {};
  };
}

/** A hidden page needs no connection, of which a browser has few. */
async function keepListening(ending: AbortSignal): Promise<void> {
  await later.ready;
  while (!ending.aborted) {
    let ms = DEAF_MS;
    if (!document.hidden && !isAway()) {
      interruption = new AbortController();
      const { isRefused, returnMs } = await listen({ signal: interruption.signal, onRevision: hear });
      isListening = false;
      ms = returnMs ?? DEAF_MS;
      // The user may be signed out, or the books may no longer be shared.
      if (isRefused) void look();
    }
    if (!ending.aborted) await pause(ms);
  }
}

async function pause(ms: number): Promise<void> {
  if (!isWoken) {
    await new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, ms);
    });
  }
  isWoken = false;
  wake = null;
}

/** The page is shown again, or the user or the network is back. */
function goOn(): void {
  if (document.hidden) return interruption.abort();
  void look();
  isWoken = true;
  wake?.();
}

function isAway(): boolean {
  return Date.now() - lastInput >= AWAY_MS;
}

function noteInput(): void {
  const wasAway = isAway();
  lastInput = Date.now();
  if (wasAway) goOn();
}

function hear(revision: number): void {
  isListening = true;
  heard = revision;
  if (heard !== known) void look();
}

/** The page that made the change shows it already. If somebody else was faster, the next look notices. */
function noteOwn(revision: number): void {
  live.ownChanges++;
  if (revision === known + 1) known = revision;
}

async function look(): Promise<void> {
  if (isLooking || document.hidden || !navigator.onLine || session.state !== 'signed in') return;
  isLooking = true;
  const before = heard;
  try {
    const revision = await session.look();
    // The revision may be that of a change of our own, whose answer is still on its way.
    if (revision === known) return;
    if (pending.writes) {
      setTimeout(() => void look(), AGAIN_MS);
      return;
    }
    known = revision;
    refreshAll();
    await session.refresh();
  } catch {
    // Whatever is wrong, the page notices it by itself, and the next look may succeed.
  } finally {
    isLooking = false;
    if (heard !== before && heard !== known) setTimeout(() => void look(), AGAIN_MS);
  }
}
