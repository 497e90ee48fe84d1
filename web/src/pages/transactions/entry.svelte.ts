// How does a transaction grow while it is typed? Suggestions fill it, splits share it out, saving sends it.
import { post, put, Refused, type Answered } from '$/api/client';
import type { Transaction } from '$/api/types';
import { Form } from '$/form/form.svelte';
import { accounts, OWN, type KnownAccount, type Used } from '$/form/suggest';
import { t } from '$/messages';
import { text, unsigned } from '$/money/money';
import { decimalsOf } from '$/money/typed';
import { emptyDraft, emptySplit, named, placed, remaining, sent, sumOf, typeOf, type Draft, type Named, type Type } from './draft';

export interface Edited {
  id: string;
  etag: string | null;
  before: Draft;
}

export type Saved = Answered<{ data: Transaction[] }>;

export class Entry {
  form: Form<Draft>;
  files: File[] = $state.raw([]);
  readonly edited: Edited | null;
  #toCurrency: string | null = null;

  constructor(draft: Draft, edited: Edited | null = null) {
    this.form = new Form(draft);
    this.edited = edited;
  }

  get draft(): Draft {
    return this.form.values;
  }

  get decimals(): number {
    return decimalsOf(this.draft.splits[0]!.currency);
  }

  /** Exact; null while there is nothing to share out. */
  get remaining(): bigint | null {
    return remaining(this.draft, this.decimals);
  }

  chooseType(type: Type): void {
    this.draft.type = type;
    // An expense account receives, a revenue account gives: the name may stay, the account cannot.
    for (const split of this.draft.splits) split.other.id = null;
  }

  /** A description that is known brings what was used with it last; what somebody typed stays. */
  use(used: Used): void {
    const { draft } = this;
    const type = typeOf(used.type);
    const [split] = draft.splits;
    if (this.edited || !type || !split || draft.splits.length > 1) return;
    const source = named(used.source_id, used.source_name);
    const destination = named(used.destination_id, used.destination_name);
    draft.type = type;
    draft.own = type === 'deposit' ? destination : source;
    if (type === 'transfer') draft.to = destination;
    else split.other = type === 'deposit' ? source : destination;
    if (!split.amount.trim()) split.amount = unsigned(used.amount, used.currency_dp);
    split.currency = used.currency_code;
    split.category ||= used.category_name ?? '';
    split.budget ||= used.budget_name ?? '';
    if (!draft.tags.length) draft.tags = [...used.tags];
    if (type === 'transfer') void this.#learn(destination);
  }

  /** In which currency the receiving account is: the description does not say. */
  async #learn({ id, text: name }: Named): Promise<void> {
    const found = await accounts(OWN)(name, new AbortController().signal).catch(() => []);
    const same = found.find((account) => account.id === id);
    if (same && this.draft.to.id === id) this.toTaken(same);
  }

  /** Money is counted in the currency of one's own account, until somebody chooses another. */
  ownTaken({ currency }: KnownAccount): void {
    for (const split of this.draft.splits) split.currency = currency;
    this.#meetCurrencies();
  }

  toTaken({ currency }: KnownAccount): void {
    this.#toCurrency = currency;
    this.#meetCurrencies();
  }

  /** A transfer between two currencies needs both amounts. */
  #meetCurrencies(): void {
    if (this.draft.type !== 'transfer' || this.#toCurrency === null) return;
    for (const split of this.draft.splits) {
      if (this.#toCurrency !== split.currency) split.foreignCurrency = this.#toCurrency;
      else if (!split.foreignAmount) split.foreignCurrency = '';
    }
  }

  addSplit(): void {
    const { draft } = this;
    const [first] = draft.splits;
    if (draft.splits.length === 1) draft.total = first!.amount;
    const rest = this.remaining;
    const split = emptySplit(first!.currency);
    // One receipt, one shop: left empty it would be cash.
    split.other = { ...first!.other };
    split.category = draft.splits.length === 1 ? '' : first!.category;
    if (rest !== null && rest > 0n) split.amount = text(rest, this.decimals);
    draft.splits.push(split);
  }

  removeSplit(at: number): void {
    const { draft } = this;
    draft.splits.splice(at, 1);
    if (draft.splits.length > 1) return;
    draft.splits[0]!.description = '';
    [draft.splits[0]!.amount, draft.total] = [draft.total || draft.splits[0]!.amount, ''];
  }

  takeSum(): void {
    this.draft.total = sumOf(this.draft.splits, this.decimals);
    delete this.form.errors.total;
  }

  /** What was booked, or null when it was refused: then the reasons stand beside their fields. */
  async save(): Promise<Saved | null> {
    const rest = this.remaining;
    if (rest !== null && rest !== 0n) {
      this.form.errors = { total: [t.transactions.form.remainingError] };
      return null;
    }
    let answered: Saved | null = null;
    await this.form.send(async (draft) => (answered = await this.#sent(draft)));
    return answered;
  }

  async #sent(draft: Draft): Promise<Saved> {
    const body = sent(draft, this.edited?.before);
    try {
      if (!this.edited) return await post('/api/v1/transactions', body);
      return await put('/api/v1/transactions/{id}', body, { path: { id: this.edited.id }, match: this.edited.etag });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const fields = placed(error.fields, draft.type, draft.splits.length);
      throw new Refused(error.status, error.message, fields, error.retryAfter, error.requestId, error.exception);
    }
  }

  /** The next one: day, type and account stay. */
  next(): void {
    const { date, type, own, splits } = this.draft;
    this.form.values = { ...emptyDraft(date, splits[0]!.currency, type), own };
    this.files = [];
    this.#toCurrency = null;
  }
}
