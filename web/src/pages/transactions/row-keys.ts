// The keys of the list: arrow keys move between rows, Space selects, Shift extends, Enter opens.
import { router } from '$/shell/router.svelte';
import type { Selection } from './selection.svelte';

/** Acts on a row's checkbox, which has the transaction's id as `data-entry`. */
export function handleRowKey(event: KeyboardEvent, order: string[], selection: Selection, within?: HTMLElement): void {
  const id = (event.target as HTMLElement).dataset.entry;
  if (!id) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) reach(order[order.indexOf(id) + step], event.shiftKey);
  else if (event.key === 'Enter') router.go(`/transactions/${id}`);
  else if (event.key === 'Escape') selection.clear();
  else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) selection.all(order);
  else return;
  event.preventDefault();

  function reach(next: string | undefined, extend: boolean): void {
    if (!next) return;
    if (extend) selection.all([id!, next]);
    within?.querySelector<HTMLElement>(`[data-entry="${next}"]`)?.focus();
  }
}
