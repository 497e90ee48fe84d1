// Loads a page's data: one state for waiting, failing and reloading after a change.
import { onDestroy, untrack } from 'svelte';

const alive = new Set<Resource<unknown>>();

/** Reloads everything on the screen, because an undo may change anything. Open forms keep what was typed. */
export function refreshAll(): void {
  for (const resource of alive) if (!resource.isTypedInto || resource.error) void resource.reload();
}

/** Reloads what failed while the user was signed out; typed text stays. */
export function retryFailed(): void {
  for (const resource of alive) if (resource.error) void resource.reload();
}

/** Loaded data, or a part of it, as a card shows it. */
export type Loaded<T> = Pick<Resource<T>, 'data' | 'error' | 'busy' | 'reload'> & { isTypedInto?: boolean };

/** A part of something that is loaded as a whole. The page shows the error, once for all parts. */
export function partOf<T, P>(whole: Resource<T>, pick: (data: T) => P): Loaded<P> {
  return {
    get data() {
      return whole.data === undefined ? undefined : pick(whole.data);
    },
    error: null,
    get busy() {
      return whole.busy;
    },
    reload: () => whole.reload(),
  };
}

export class Resource<T> {
  data: T | undefined = $state.raw();
  error: unknown = $state.raw(null);
  busy = $state(false);
  #ask: (signal: AbortSignal) => Promise<T>;
  #current: AbortController | null = null;

  constructor(
    ask: (signal: AbortSignal) => Promise<T>,
    readonly isTypedInto = false,
  ) {
    this.#ask = ask;
  }

  /** Loads again and ignores the answer to an older request. */
  async reload(): Promise<void> {
    this.#current?.abort();
    const mine = (this.#current = new AbortController());
    this.busy = true;
    try {
      const data = await this.#ask(mine.signal);
      if (this.#current === mine) [this.data, this.error] = [data, null];
    } catch (error) {
      if (this.#current === mine) this.error = error;
    } finally {
      if (this.#current === mine) this.busy = false;
    }
  }

  /** Cancels the running request when the component is gone; data that was loaded stays. */
  leave(): void {
    this.#current?.abort();
    this.#current = null;
  }
}

/** Call it while a component is created. A change of any state that `ask` reads before its first await loads again. */
export function load<T>(ask: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const resource = register(new Resource(ask));
  $effect(() => {
    void resource.reload();
  });
  return resource;
}

/** Loads the initial values of a form. Only `reload` or a change of `of` loads again, so that typed text is not lost. */
export function loadOnce<T>(ask: (signal: AbortSignal) => Promise<T>, of: () => unknown = () => null): Resource<T> {
  const resource = register(new Resource(ask, true));
  $effect(() => {
    of();
    untrack(() => void resource.reload());
  });
  return resource;
}

function register<T>(resource: Resource<T>): Resource<T> {
  alive.add(resource as Resource<unknown>);
  onDestroy(() => {
    alive.delete(resource as Resource<unknown>);
    resource.leave();
  });
  return resource;
}
