// What this device remembers for each user and the books that they work in, to save typing.
import { session } from './session.svelte';

const keyOf = (name: string): string => `${name}:${session.place}`;

export function recall(name: string): string | null {
  return localStorage.getItem(keyOf(name));
}

export function remember(name: string, value: string): void {
  localStorage.setItem(keyOf(name), value);
}
