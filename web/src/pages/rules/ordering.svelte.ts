// Moves rules and groups, by keys or by dragging; the screen follows at once, the server right after.
import { tick } from 'svelte';
import { t } from '$/messages';
import { notices } from '$/shell/notices.svelte';
import { markPlace, moveGroup, moveRule, stepRule, type Destination, type GroupWithRules, type Marker } from './order';
import { changeGroup, changeRule } from './save';

type Kind = 'rule' | 'group';

/** So close to the edge of the screen, dragging scrolls. */
const EDGE = 80;

export class Ordering {
  all: GroupWithRules[] = $state.raw([]);
  /** What was moved where, for screen readers. */
  said = $state('');
  dragged: { kind: Kind; id: string } | null = $state.raw(null);
  target: Destination | null = $state.raw(null);
  #reload: () => Promise<void>;
  /** How many moves the server has not answered yet. */
  #moving = 0;

  constructor(reload: () => Promise<void>) {
    this.#reload = reload;
  }

  /** What was read while something moves may be from before the move. */
  take(all: GroupWithRules[]): void {
    if (!this.#moving) this.all = all;
  }

  step(kind: Kind, id: string, by: 1 | -1): void {
    const to = kind === 'rule' ? stepRule(this.all, id, by) : this.#stepGroup(id, by);
    if (to) void this.#move(kind, id, to);
    else this.said = t.order.stays(this.#titleOf(kind, id));
  }

  #stepGroup(id: string, by: 1 | -1): Destination | null {
    const place = this.all.findIndex(({ group }) => group.id === id) + by;
    return place >= 0 && place < this.all.length ? { group: id, place } : null;
  }

  /** The line where the dragged one would go. */
  get marker(): Marker | null {
    if (!this.dragged || !this.target) return null;
    const rules = this.all.find(({ group }) => group.id === this.target!.group)?.rules ?? [];
    const ids = this.dragged.kind === 'rule' ? rules.map(({ id }) => id) : this.all.map(({ group }) => group.id);
    return markPlace(ids, this.dragged.id, this.target.place);
  }

  grab(event: PointerEvent, kind: Kind, id: string): void {
    if (event.button) return;
    event.preventDefault();
    this.dragged = { kind, id };
    const end = (isDropped: boolean): void => {
      removeEventListener('pointermove', follow);
      removeEventListener('pointerup', drop);
      removeEventListener('pointercancel', cancel);
      removeEventListener('keydown', escape);
      const to = this.target;
      [this.dragged, this.target] = [null, null];
      if (isDropped && to) void this.#move(kind, id, to);
    };
    const follow = ({ clientY }: PointerEvent): void => this.#follow(kind, id, clientY);
    const drop = (): void => end(true);
    const cancel = (): void => end(false);
    const escape = ({ key }: KeyboardEvent): void => void (key === 'Escape' && cancel());
    addEventListener('pointermove', follow);
    addEventListener('pointerup', drop);
    addEventListener('pointercancel', cancel);
    addEventListener('keydown', escape);
  }

  #follow(kind: Kind, id: string, y: number): void {
    if (y < EDGE) scrollBy(0, -EDGE / 4);
    if (y > innerHeight - EDGE) scrollBy(0, EDGE / 4);
    if (kind === 'group') this.target = { group: id, place: countAbove('[data-group]', id, y) };
    else {
      const sections = [...document.querySelectorAll<HTMLElement>('[data-group]')];
      const group = sections.findLast((element) => element.getBoundingClientRect().top <= y) ?? sections[0];
      const of = group?.dataset.group ?? '';
      this.target = { group: of, place: countAbove(`[data-group="${of}"] [data-rule]`, id, y) };
    }
  }

  async #move(kind: Kind, id: string, to: Destination): Promise<void> {
    const before = this.all;
    const refocus = rememberFocus(`[data-${kind}="${id}"]`);
    this.all = kind === 'rule' ? moveRule(before, id, to) : moveGroup(before, id, to.place);
    if (sameOrder(before, this.all)) return;
    this.#announce(kind, id, to);
    this.#moving += 1;
    await tick();
    refocus();
    try {
      const order = to.place + 1;
      await (kind === 'rule' ? changeRule(id, { order, group: to.group }) : changeGroup(id, { order }));
    } catch (error) {
      notices.failed(error);
    }
    this.#moving -= 1;
    if (!this.#moving) await this.#reload();
  }

  #announce(kind: Kind, id: string, to: Destination): void {
    const within = this.all.find(({ group }) => group.id === to.group)!;
    const of = kind === 'rule' ? within.rules.length : this.all.length;
    const group = kind === 'rule' ? within.group.attributes.title : '';
    this.said = t.order.moved(this.#titleOf(kind, id), to.place + 1, of, group);
  }

  #titleOf(kind: Kind, id: string): string {
    const found =
      kind === 'rule'
        ? this.all.flatMap(({ rules }) => rules).find((rule) => rule.id === id)
        : this.all.find(({ group }) => group.id === id)?.group;
    return found?.attributes.title ?? '';
  }
}

/** Moving an element takes the focus away from it, and in another group a rule is a new element: the same control of it gets the focus again. */
function rememberFocus(moved: string): () => void {
  const controls = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(`${moved} :is(a, button, input)`)];
  const at = controls().indexOf(document.activeElement as HTMLElement);
  return () => {
    const control = controls()[at];
    control?.focus({ preventScroll: true });
    control?.scrollIntoView({ block: 'nearest' });
  };
}

function countAbove(selector: string, moved: string, y: number): number {
  return [...document.querySelectorAll<HTMLElement>(selector)]
    .filter((element) => (element.dataset.rule ?? element.dataset.group) !== moved)
    .filter((element) => {
      const { top, height } = element.getBoundingClientRect();
      return top + height / 2 < y;
    }).length;
}

const sameOrder = (one: GroupWithRules[], other: GroupWithRules[]): boolean => flat(one) === flat(other);
const flat = (all: GroupWithRules[]): string =>
  all.map(({ group, rules }) => [group.id, ...rules.map(({ id }) => `r${id}`)].join()).join();
