// Remembers where the user was on each page of the browser's history, so that Back returns to the same row with the same focus.
import { currentNumber } from './trail';

interface Place {
  scroll: number;
  /** Finds what had the focus; empty when that cannot be found again. */
  focus: string;
}

const places = new Map<number, Place>();
/** Lists load first. After this time the user has probably gone on reading. */
const WAIT_MS = 10_000;
let returning: Place | null = null;
let stopWaiting = (): void => {};

/** Run it before the address changes. */
export function keepPlace(): void {
  places.set(currentNumber(), { scroll: scrollY, focus: selectorOf(document.activeElement) });
}

/** Run it after the address changed; `isKnown` says that the user was on this page before. */
export function arrive(isKnown: boolean): void {
  returning = isKnown ? (places.get(currentNumber()) ?? null) : null;
}

function selectorOf(element: Element | null): string {
  if (!element?.closest('#page')) return '';
  for (const name of ['data-entry', 'href'])
    if (element.hasAttribute(name)) return `#page [${name}="${CSS.escape(element.getAttribute(name)!)}"]`;
  return '';
}

/** Returns to the row as soon as it is there, unless the user scrolls or presses a key before. */
export function returnToPlace(): void {
  stopWaiting();
  const place = returning;
  returning = null;
  if (!place || (!place.scroll && !place.focus)) return;
  const until = performance.now() + WAIT_MS;
  const given = new AbortController();
  stopWaiting = () => given.abort();
  for (const event of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    addEventListener(event, stopWaiting, { signal: given.signal, capture: true, passive: true });
  const look = (): void => {
    if (given.signal.aborted) return;
    if (isReady(place)) {
      scrollTo(0, place.scroll);
      if (place.focus) document.querySelector<HTMLElement>(place.focus)?.focus({ preventScroll: true });
      given.abort();
    } else if (performance.now() < until) requestAnimationFrame(look);
    else given.abort();
  };
  look();
}

function isReady({ scroll, focus }: Place): boolean {
  const isLongEnough = document.documentElement.scrollHeight - innerHeight >= scroll - 1;
  return isLongEnough && (!focus || document.querySelector(focus) !== null);
}
