// Loads a page's data: one state for waiting, failing and reloading after a change.
import { onDestroy, untrack } from 'svelte';

const alive = new Set<Loaded<unknown>>();

/** After an undo anything may be different: whatever is on the screen is asked for again. What somebody types into stays. */
export function refreshAll(): void {
  for (const loaded of alive) if (!loaded.isTypedInto || loaded.error) void loaded.reload();
}

/** Reloads what failed while the user was signed out; typed text stays. */
export function retryFailed(): void {
  for (const loaded of alive) if (loaded.error) void loaded.reload();
}

export class Loaded<T> {
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

/** Call it while a component is made. What `ask` reads before its first await is watched: a change asks again. */
export function loaded<T>(ask: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const state = kept(new Loaded(ask));
  $effect(() => {
    void state.reload();
  });
  return state;
}

/** What a form begins with. Only `reload`, or another `of`, begins it anew: what was typed outlives everything else. */
export function begun<T>(ask: (signal: AbortSignal) => Promise<T>, of: () => unknown = () => null): Loaded<T> {
  const state = kept(new Loaded(ask, true));
  $effect(() => {
    of();
    untrack(() => void state.reload());
  });
  return state;
}

function kept<T>(state: Loaded<T>): Loaded<T> {
  alive.add(state as Loaded<unknown>);
  onDestroy(() => {
    alive.delete(state as Loaded<unknown>);
    state.leave();
  });
  return state;
}
