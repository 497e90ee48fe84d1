// A transaction while it is typed: suggestions fill it in, splits divide it, saving sends it.
import { SvelteMap } from 'svelte/reactivity';
import { get, post, put, Refused, type Answer } from '$/api/client';
import type { Transaction } from '$/api/types';
import { checkAmounts, missingCurrencies } from '$/form/amounts';
import { Form, refuse } from '$/form/form.svelte';
import { suggestAccounts, OWN, type AccountSuggestion, type DescriptionUse } from '$/form/suggest';
import { t } from '$/messages';
import { fromUnits, withoutSign } from '$/money/money';
import { decimalsOf } from '$/money/parse';
import {
  emptyDraft,
  emptySplit,
  toNamedAccount,
  placeErrors,
  remaining,
  toBody,
  sumOf,
  typeOf,
  type TransactionDraft,
  type NamedAccount,
  type SplitDraft,
  type TransactionType,
} from './draft';

export interface EditedTransaction {
  id: string;
  etag: string | null;
  before: TransactionDraft;
}

export type SavedTransaction = Answer<{ data: Transaction[] }>;

export class Entry {
  form: Form<TransactionDraft>;
  files: File[] = $state.raw([]);
  readonly edited: EditedTransaction | null;
  /** The currencies of one's own accounts, as far as they were met. */
  #known = new SvelteMap<string, string>();

  constructor(draft: TransactionDraft, edited: EditedTransaction | null = null) {
    this.form = new Form(draft);
    this.edited = edited;
  }

  get #own(): NamedAccount[] {
    return this.draft.type === 'transfer' ? [this.draft.own, this.draft.to] : [this.draft.own];
  }

  get #currencies(): string[] {
    return this.#own.flatMap((account) => this.#known.get(keyOf(account)) ?? []);
  }

  /** The currency that the second amount has to be in; null where there need not be one. */
  neededCurrency(split: SplitDraft): string | null {
    const [code, ...more] = missingCurrencies(split.currency, this.#currencies);
    return code && !more.length ? code : null;
  }

  get draft(): TransactionDraft {
    return this.form.values;
  }

  get decimals(): number {
    return decimalsOf(this.draft.splits[0]!.currency);
  }

  /** Exact; null while there is nothing to share out. */
  get remaining(): bigint | null {
    return remaining(this.draft, this.decimals);
  }

  chooseType(type: TransactionType): void {
    this.draft.type = type;
    // An expense account receives, a revenue account gives: the name may stay, the account cannot.
    for (const split of this.draft.splits) split.other.id = null;
    this.#updateSecondAmounts();
  }

  /** A description that is known brings what was used with it last; what somebody typed stays. */
  fillIn(used: DescriptionUse): void {
    const { draft } = this;
    const type = typeOf(used.type);
    const [split] = draft.splits;
    if (this.edited || !type || !split || draft.splits.length > 1) return;
    const source = toNamedAccount(used.source_id, used.source_name);
    const destination = toNamedAccount(used.destination_id, used.destination_name);
    draft.type = type;
    draft.own = type === 'deposit' ? destination : source;
    if (type === 'transfer') draft.to = destination;
    else split.other = type === 'deposit' ? source : destination;
    if (!split.amount.trim()) split.amount = withoutSign(used.amount, used.currency_dp);
    split.currency = used.currency_code;
    split.category ||= used.category_name ?? '';
    split.budget ||= used.budget_name ?? '';
    if (!draft.tags.length) draft.tags = [...used.tags];
    void this.learnCurrencies();
  }

  /** In which currency one's own accounts are: neither a description nor a name that was typed says so. */
  async learnCurrencies(): Promise<void> {
    const unknown = this.#own.filter((account) => account.text.trim() && !this.#known.has(keyOf(account)));
    const found = await Promise.all(unknown.map((account) => currencyOf(account).catch(() => null)));
    for (const [at, code] of found.entries()) if (code) this.#known.set(keyOf(unknown[at]!), code);
    this.#updateSecondAmounts();
  }

  /** Money is counted in the currency of one's own account, until somebody chooses another. */
  chooseOwn({ currency }: AccountSuggestion): void {
    this.#known.set(keyOf(this.draft.own), currency);
    for (const split of this.draft.splits) split.currency = currency;
    this.#updateSecondAmounts();
  }

  chooseDestination({ currency }: AccountSuggestion): void {
    this.#known.set(keyOf(this.draft.to), currency);
    this.#updateSecondAmounts();
  }

  chooseCurrency(split: SplitDraft, code: string): void {
    split.currency = code;
    this.#updateSecondAmounts();
  }

  /** Where two currencies meet, both amounts are needed. */
  #updateSecondAmounts(): void {
    for (const split of this.draft.splits) {
      const code = this.neededCurrency(split);
      const isOurs = this.draft.type === 'transfer' || split.foreignCurrency === split.currency;
      if (code) split.foreignCurrency = code;
      else if (isOurs && !split.foreignAmount.trim()) split.foreignCurrency = '';
    }
  }

  #checkAmounts(): Record<string, string[]> {
    const wrong: Record<string, string[]> = {};
    for (const [at, split] of this.draft.splits.entries()) {
      const { amount, foreign } = checkAmounts(split, this.#currencies);
      if (amount) wrong[`transactions.${at}.amount`] = [amount];
      if (foreign) wrong[`transactions.${at}.foreign_amount`] = [foreign];
    }
    return wrong;
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
    if (rest !== null && rest > 0n) split.amount = fromUnits(rest, this.decimals);
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
  async save(): Promise<SavedTransaction | null> {
    const rest = this.remaining;
    if (rest !== null && rest !== 0n) {
      this.form.errors = { total: [t.transactions.form.remainingError] };
      return null;
    }
    let answer: SavedTransaction | null = null;
    await this.form.send(async (draft) => {
      await this.learnCurrencies();
      refuse(this.#checkAmounts());
      answer = await this.#send(draft);
    });
    return answer;
  }

  async #send(draft: TransactionDraft): Promise<SavedTransaction> {
    const body = toBody(draft, this.edited?.before);
    try {
      if (!this.edited) return await post('/api/v1/transactions', body);
      return await put('/api/v1/transactions/{id}', body, { path: { id: this.edited.id }, match: this.edited.etag });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const fields = placeErrors(error.fields, draft.type, draft.splits.length);
      throw new Refused(error.status, error.message, fields, error.retryAfter, error.requestId, error.exception);
    }
  }

  /** The next one: day, type and account stay. */
  next(): void {
    const { date, type, own, splits } = this.draft;
    this.form.values = { ...emptyDraft(date, splits[0]!.currency, type), own };
    this.files = [];
  }
}

/** An account is known by its id as long as its name is still the one it was taken with. */
const keyOf = ({ id, text: name, meant }: NamedAccount): string =>
  id !== null && name.trim() === meant ? `#${id}` : name.trim().toLowerCase();

async function currencyOf(account: NamedAccount): Promise<string | null> {
  const { id, text: name, meant } = account;
  if (id !== null && name.trim() === meant)
    return (await get('/api/v1/accounts/{id}', { path: { id } })).data.attributes.currency_code;
  const found = await suggestAccounts(OWN)(name.trim(), new AbortController().signal);
  return found.find((one) => one.text.toLowerCase() === name.trim().toLowerCase())?.currency ?? null;
}
