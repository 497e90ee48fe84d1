// Edits values of transactions in their list: which one is open, how it is saved, and where the focus goes then.
import { tick } from 'svelte';
import { put, read, type Answer } from '$/api/client';
import { t } from '$/messages';
import { isFocusLost } from '$/parts/focus';
import { session } from '$/session/session.svelte';
import { notices } from '$/shell/notices.svelte';
import { draftFromLines, toBody, typeOf, hasBudget, type NamedAccount, type TransactionDraft } from './draft';
import type { SplitGroup } from './group';

export type EditedField = 'date' | 'payee' | 'category' | 'budget' | 'tags' | 'amount';
/** The value of each field, as its editor gives it. */
export type EditedValue = string | string[] | NamedAccount;

const LABELS = ['category', 'budget', 'tags'];

export class Editing {
  open: { id: string; field: EditedField } | null = $state.raw(null);

  /** `groups` are those in the list; `reload` shows what was saved. */
  constructor(
    readonly groups: () => SplitGroup[],
    readonly reload: () => Promise<void>,
  ) {}

  /** Several splits are edited in their form, and so is what is no transaction of its own, such as an opening balance. */
  canEdit({ lines }: SplitGroup, field: EditedField): boolean {
    const first = lines[0]!.attributes;
    const type = typeOf(first.type);
    if (!session.mayWrite || lines.length > 1 || !type) return false;
    if (field === 'payee') return type !== 'transfer';
    return field !== 'budget' || hasBudget(type, { refund: Boolean(first.refund) });
  }

  isOpen({ id }: SplitGroup, field: EditedField): boolean {
    return this.open?.id === id && this.open.field === field;
  }

  begin(id: string, field: EditedField): void {
    this.open = { id, field };
  }

  /** Closes the editor, and puts the focus on the value. */
  close(group: SplitGroup, field: EditedField): void {
    if (this.isOpen(group, field)) this.open = null;
    void this.#focus(group.id, field);
  }

  /** Opens the same value in the next row that has it; false if there is none. */
  goOn({ id }: SplitGroup, field: EditedField, step: number): boolean {
    const groups = this.groups();
    const from = groups.findIndex((group) => group.id === id);
    const rows = step > 0 ? groups.slice(from + 1) : groups.slice(0, from).reverse();
    const next = rows.find((group) => this.canEdit(group, field));
    if (next) this.begin(next.id, field);
    return next !== undefined;
  }

  async save(group: SplitGroup, field: EditedField, value: EditedValue): Promise<void> {
    const { id } = group;
    try {
      const { answer, id: savedId } = await (LABELS.includes(field) ? saveLabel : saveOther)(id, field, value);
      notices.done(t.transactions.inPlace.saved(group.lines[0]!.attributes.journal_description), answer);
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
  change(draft, field, value);
  const answer = await put('/api/v1/transactions/{id}', toBody(draft, before), { path: { id }, match: etag });
  return { answer, id: answer.data.data[0]!.id };
}

function change(draft: TransactionDraft, field: EditedField, value: EditedValue): void {
  const split = draft.splits[0]!;
  if (field === 'date') draft.date = value as string;
  else if (field === 'amount') split.amount = value as string;
  else {
    // A purchase that is called like its shop is called like the new one.
    if (draft.description === split.other.text) draft.description = '';
    split.other = value as NamedAccount;
  }
}
