// Edits values of transactions in their list: which one is open, how it is saved, and where the focus goes then.
import { tick } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { put, read, type Answer } from '$/api/client';
import type { Transaction } from '$/api/types';
import { showFrom } from '$/days/days';
import { t } from '$/messages';
import { isFocusLost } from '$/parts/focus';
import { session } from '$/session/session.svelte';
import { notices } from '$/shell/notices.svelte';
import { draftFromLines, toBody, typeOf, hasBudget, type NamedAccount, type TransactionDraft } from './draft';
import { hasSiblings, type SplitGroup } from './group';

export type EditedField = 'date' | 'payee' | 'category' | 'budget' | 'tags' | 'amount';
/** The value of each field, as its editor gives it. */
export type EditedValue = string | string[] | NamedAccount;

const LABELS = ['category', 'budget', 'tags'];
/** What the splits of a transaction have in common. */
const OF_WHOLE = ['date', 'tags'];

export class Editing {
  open: { id: string; field: EditedField } | null = $state.raw(null);
  #texts = new SvelteMap<string, string>();
  #saving: Promise<void> = Promise.resolve();

  /** `reload` shows what was saved. */
  constructor(readonly reload: () => Promise<void>) {}

  /**
   * `at` is one of several splits; null is the transaction as a whole, whose splits have their own values.
   * What is no transaction of its own, such as an opening balance, is not edited.
   */
  canEdit({ lines }: SplitGroup, field: EditedField, at: number | null = null): boolean {
    const line = lines[at ?? 0]!;
    const { type: name, refund } = line.attributes;
    const type = typeOf(name);
    if (!session.mayWrite || !type) return false;
    if (at === null ? isPart(lines, line) : OF_WHOLE.includes(field)) return at === null && OF_WHOLE.includes(field);
    if (field === 'payee') return type !== 'transfer';
    return field !== 'budget' || hasBudget(type, { refund: Boolean(refund) });
  }

  isOpen(id: string, field: EditedField): boolean {
    return this.open?.id === id && this.open.field === field;
  }

  begin(id: string, field: EditedField): void {
    this.open = { id, field };
  }

  /** Closes the editor, and puts the focus on the value. */
  close(id: string, field: EditedField): void {
    if (this.isOpen(id, field)) this.open = null;
    void this.#focus(id, field);
  }

  /** Opens the same value in the next row that has it; false if there is none. */
  goOn(id: string, field: EditedField, step: number): boolean {
    const cells = [
      ...document.querySelectorAll<HTMLElement>(`:is([data-cell$=" ${field}"], [data-open$=" ${field}"])`),
    ];
    const next = cells[cells.findIndex(({ dataset }) => dataset.open === cellOf(id, field)) + step];
    const nextId = (next?.dataset.cell ?? next?.dataset.open)?.split(' ')[0];
    if (nextId) this.begin(nextId, field);
    return nextId !== undefined;
  }

  /** What is being saved, as it is shown meanwhile. */
  textBeingSaved(id: string, field: EditedField): string | undefined {
    return this.#texts.get(cellOf(id, field));
  }

  /** One after the other: two splits of one transaction would be two versions of it. */
  save(group: SplitGroup, field: EditedField, value: EditedValue, at: number | null = null): Promise<void> {
    const cell = cellOf(group.lines[at ?? 0]!.id, field);
    const text = toText(field, value);
    this.#texts.set(cell, text);
    this.#saving = this.#saving
      .then(() => this.#saveNow(group, field, value, at))
      .then(() => void (this.#texts.get(cell) === text && this.#texts.delete(cell)));
    return this.#saving;
  }

  async #saveNow({ lines }: SplitGroup, field: EditedField, value: EditedValue, at: number | null): Promise<void> {
    const line = lines[at ?? 0]!;
    const { id } = line;
    try {
      const isLabel = LABELS.includes(field) && !isPart(lines, line);
      const { answer, id: savedId } = await (isLabel ? saveLabel : saveOther)(id, field, value);
      notices.done(t.transactions.inPlace.saved(line.attributes.journal_description), answer);
      const wasFocused = document.activeElement?.getAttribute('data-cell') === cellOf(id, field);
      await this.reload();
      if (wasFocused) await this.#focus(savedId, field);
    } catch (error) {
      notices.failed(error);
    }
  }

  async #focus(id: string, field: EditedField): Promise<void> {
    await tick();
    if (!isFocusLost()) return;
    document.querySelector<HTMLElement>(`[data-cell="${cellOf(id, field)}"]`)?.focus({ preventScroll: true });
  }
}

export const cellOf = (id: string, field: EditedField): string => `${id} ${field}`;

function toText(field: EditedField, value: EditedValue): string {
  if (field === 'date') return showFrom(session.today, value as string, session.locale, 'weekday');
  if (Array.isArray(value)) return value.map((tag) => `#${tag}`).join(' ');
  return typeof value === 'string' ? value : value.text;
}

/** Also where only some splits of a transaction are in the list. */
const isPart = (lines: Transaction[], line: Transaction): boolean => lines.length > 1 || hasSiblings(line);

/** What the server answered, and the id that the transaction has now. */
type Saved = Promise<{ answer: Answer<unknown>; id: string }>;

async function saveLabel(id: string, field: EditedField, value: EditedValue): Saved {
  const name = String(value).trim();
  const change =
    field === 'tags' ? { tags: value as string[] } : { [name ? `${field}_name` : `${field}_id`]: name || null };
  return { answer: await put('/api/v1/transactions/bulk', { ids: [id], ...change }), id };
}

/** All of the transaction is sent, as by its form. */
async function saveOther(id: string, field: EditedField, value: EditedValue): Saved {
  const { data, etag } = await read('/api/v1/transactions/{id}', { path: { id } });
  const [draft, before] = [draftFromLines(data.data), draftFromLines(data.data)];
  if (!draft) throw new Error(t.transactions.form.notHere);
  const at = data.data.findIndex((line) => line.id === id);
  change(draft, at, field, value);
  const answer = await put('/api/v1/transactions/{id}', toBody(draft, before), { path: { id }, match: etag });
  return { answer, id: answer.data.data[at]!.id };
}

function change(draft: TransactionDraft, at: number, field: EditedField, value: EditedValue): void {
  const split = draft.splits[at]!;
  if (field === 'date') draft.date = value as string;
  else if (field === 'tags') draft.tags = value as string[];
  else if (field !== 'payee') split[field] = value as string;
  else {
    // A purchase that is called like its shop is called like the new one.
    if (draft.description === split.other.text) draft.description = '';
    split.other = value as NamedAccount;
  }
}
