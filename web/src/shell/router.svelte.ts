// Finds the page for the address. Routes live after `#`, so that they work behind any path and survive reloading.
import * as places from './places';
import * as trail from './trail';
import { anyUnsaved } from './unsaved';

export interface Address {
  path: string;
  query: URLSearchParams;
}

export function parseAddress(hash: string): Address {
  const [path, ...query] = hash.replace(/^#/, '').split('?');
  return { path: path || '/', query: new URLSearchParams(query.join('?')) };
}

class Router {
  address: Address = $state.raw(parseAddress(typeof location === 'undefined' ? '' : location.hash));

  /** The page of a list; anything but a positive whole number gives 1. */
  get page(): number {
    const given = Number(this.address.query.get('page'));
    return Number.isSafeInteger(given) && given > 0 ? given : 1;
  }

  /** The steps in the history that wait until the user confirms leaving. */
  #pendingSteps = $state(0);
  #isLeaving = false;

  get isWaiting(): boolean {
    return this.#pendingSteps !== 0;
  }

  listen(): void {
    trail.begin();
    // Pages load their data after the browser would restore the position.
    history.scrollRestoration = 'manual';
    addEventListener('hashchange', () => this.#arrive());
    // When closing or reloading, the browser asks with its own text.
    addEventListener('beforeunload', (event) => anyUnsaved() && event.preventDefault());
  }

  /** Runs after a link, a key or the back button changed the address. If the user stays, the address is restored. */
  #arrive(): void {
    places.keepPlace();
    const isVisited = trail.isVisited();
    const [steps, to] = [trail.countSteps(), parseAddress(location.hash)];
    places.arrive(isVisited);
    if (!steps || this.#isLeaving || to.path === this.address.path || !anyUnsaved()) {
      [this.address, this.#isLeaving] = [to, false];
      return;
    }
    this.#pendingSteps = steps;
    history.go(-steps);
  }

  stay(): void {
    this.#pendingSteps = 0;
  }

  leave(): void {
    const steps = this.#pendingSteps;
    [this.#pendingSteps, this.#isLeaving] = [0, true];
    history.go(steps);
  }

  go(path: string, query: Query = {}): void {
    location.hash = href(path, query);
  }

  /** Goes elsewhere without adding to the history. */
  replace(path: string, query: Query = {}): void {
    trail.rename(href(path, query));
    this.address = parseAddress(location.hash);
  }

  /** Leaves a form that is done with, so that Back does not open it again: back to the page it was opened from, or on to another. */
  finish(path: string, query: Query = {}): void {
    const before = trail.addressBefore();
    if (before !== null && parseAddress(before).path === path) history.back();
    else this.replace(path, query);
  }

  /** Changes the query without adding to the history, for filters. */
  refine(query: Query): void {
    trail.rename(href(this.address.path, query));
    this.address = parseAddress(location.hash);
  }
}

export type Query = Record<string, string | number | null | undefined>;

export function href(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `#${path}${text ? `?${text}` : ''}`;
}

/** `/accounts/:id` against `/accounts/12` is `{id: "12"}`; null when it does not fit. */
export function matchPattern(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const names: Record<string, string> = {};
  for (const [at, word] of wanted.entries()) {
    const found = given[at] ?? '';
    const name = word.startsWith(':') ? decode(found) : null;
    if (name) names[word.slice(1)] = name;
    else if (word !== found) return null;
  }
  return names;
}

/** Null for a lone `%`, which an address typed by hand may contain. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export const router = new Router();
