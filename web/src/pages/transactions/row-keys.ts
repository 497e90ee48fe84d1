// The keys of the list: arrow keys move between rows and the values of a row, Space selects, Shift extends, Enter opens.
import { router } from '$/shell/router.svelte';
import type { Selection } from './selection.svelte';

const STOPS = '[data-entry], [data-cell]';

/** Acts on a row's checkbox, which has the transaction's id as `data-entry`, and on the values that can be edited. */
export function handleRowKey(event: KeyboardEvent, order: string[], selection: Selection, within?: HTMLElement): void {
  const stop = event.target as HTMLElement;
  const id = stop.dataset.entry;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const aside = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!stop.matches(STOPS)) return;
  if (aside) reachAside(aside);
  else if (!id && step) reachCell(step);
  else if (!id) return;
  else if (step) reach(order[order.indexOf(id) + step], event.shiftKey);
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

  /** Within the row. */
  function reachAside(by: number): void {
    const stops = [...(stop.closest('li, tr')?.querySelectorAll<HTMLElement>(STOPS) ?? [])];
    stops[stops.indexOf(stop) + by]?.focus();
  }

  /** The same value of the next row that has it. */
  function reachCell(by: number): void {
    const [, field] = stop.dataset.cell!.split(' ');
    const cells = [...(within?.querySelectorAll<HTMLElement>(`[data-cell$=" ${field}"]`) ?? [])];
    cells[cells.indexOf(stop) + by]?.focus();
  }
}
