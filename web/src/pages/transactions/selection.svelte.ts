// The selected transactions: by click, by Space, or a range with Shift.
import { SvelteSet } from 'svelte/reactivity';

export class Selection {
  chosen = new SvelteSet<string>();
  #last: string | null = null;

  has(id: string): boolean {
    return this.chosen.has(id);
  }

  get size(): number {
    return this.chosen.size;
  }

  /** With `reach`, everything between the last toggled one and this one gets the same state. */
  toggle(id: string, order: string[], reach = false): void {
    const wanted = !this.chosen.has(id);
    const [from, to] = [order.indexOf(this.#last ?? id), order.indexOf(id)].sort((one, other) => one - other) as [
      number,
      number,
    ];
    const touched = reach && from >= 0 ? order.slice(from, to + 1) : [id];
    for (const one of touched) this.set(one, wanted);
    this.#last = id;
  }

  set(id: string, wanted: boolean): void {
    if (wanted) this.chosen.add(id);
    else this.chosen.delete(id);
    this.#last = id;
  }

  all(order: string[], wanted = true): void {
    for (const id of order) this.set(id, wanted);
  }

  clear(): void {
    this.chosen.clear();
    this.#last = null;
  }

  /** Deselects what is no longer on the screen, so that nobody edits what they do not see. */
  keep(order: string[]): void {
    const seen = new Set(order);
    for (const id of [...this.chosen]) if (!seen.has(id)) this.chosen.delete(id);
  }
}
