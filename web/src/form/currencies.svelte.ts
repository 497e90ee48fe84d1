// The currencies that the user uses, remembered on this device: they come first where one is chosen.
import { recall, remember } from '$/session/remembered';
import { session } from '$/session/session.svelte';

const MOST = 12;

class UsedCurrencies {
  #codes: string[] = $state.raw([]);
  #user = '';

  /** The user's own currency first, then those that were used, the latest first. */
  get codes(): string[] {
    return [...new Set([session.currency, ...this.#remembered])];
  }

  get #remembered(): string[] {
    return this.#user === session.id ? this.#codes : (recall('currencies') ?? '').split(',').filter(Boolean);
  }

  add(...codes: string[]): void {
    const before = this.#remembered;
    const added = codes.filter((code) => code && !before.includes(code));
    if (!added.length) return;
    [this.#user, this.#codes] = [session.id, [...new Set([...added, ...before])].slice(0, MOST)];
    remember('currencies', this.#codes.join(','));
  }
}

export const usedCurrencies = new UsedCurrencies();
