// Notices when the server can be reached again, so that what failed meanwhile goes on by itself.
import { base } from '$/api/client';

const LOOK_EVERY_MS = 5_000;
const waiting = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Use it in an effect: calls `act` once, as soon as the server answers again; the returned function gives up. */
export function whenBack(act: () => void): () => void {
  waiting.add(act);
  timer ??= setInterval(() => void look(), LOOK_EVERY_MS);
  addEventListener('online', look);
  return () => {
    waiting.delete(act);
    if (!waiting.size) rest();
  };
}

function rest(): void {
  clearInterval(timer);
  timer = undefined;
  removeEventListener('online', look);
}

/** Costs nothing while the browser knows that it is offline, or while nobody looks. */
async function look(): Promise<void> {
  if (!navigator.onLine || document.hidden) return;
  const isBack = await fetch(new URL('livez', base), { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isBack) return;
  const acts = [...waiting];
  waiting.clear();
  rest();
  for (const act of acts) act();
}
