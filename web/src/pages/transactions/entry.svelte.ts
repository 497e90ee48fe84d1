// The state of the transaction form: it fills in suggestions, manages splits and saves.
import { SvelteMap } from 'svelte/reactivity';
import { get, post, put, Refused, Unreachable, type Answer } from '$/api/client';
import type { Transaction, TransactionBody } from '$/api/types';
import { checkAmounts, missingCurrencies } from '$/form/amounts';
import { usedCurrencies } from '$/form/currencies.svelte';
import { explainFormula } from '$/form/explain';
import { decideLater } from '$/form/decisions';
import { Form, refuse, type Stored } from '$/form/form.svelte';
import { suggestAccounts, OWN, type AccountSuggestion, type DescriptionUse } from '$/form/suggest';
import { t } from '$/messages';
import { fromUnits, withoutSign } from '$/money/money';
import { decimalsOf, parseUnits, writeAmount } from '$/money/parse';
import { device } from '$/offline/device.svelte';
import { explainRefusal } from '$/offline/refusal';
import type { WaitingEntry } from '$/offline/store';
import { loadHabit, NO_HABIT, type Habit } from './habit';
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
  /** Reads it again, after somebody else changed it. */
  read: () => Promise<Stored<TransactionDraft>>;
}

/** What was filled in, so that it can be replaced while nobody has changed it. */
type Filled = Pick<Habit, 'category' | 'budget' | 'description'> & { own: string; tags: string };

export type SavedTransaction = Answer<{ data: Transaction[] }>;
/** `waits`: it is kept on this device until the server answers. */
export type Outcome = SavedTransaction | 'waits';

export class Entry {
  form: Form<TransactionDraft>;
  files: File[] = $state.raw([]);
  readonly edited: EditedTransaction | null;
  /** It waits on this device already, and replaces what was recorded before. */
  waitingId: number | null = null;
  /** The known currencies of the user's own accounts. */
  #known = new SvelteMap<string, string>();
  /** The form asks for the user's own account first where it does not know it. */
  asksForOwn = $state(false);
  #filled!: Filled;

  constructor(draft: TransactionDraft, edited: EditedTransaction | null = null, waits: WaitingEntry | null = null) {
    this.form = new Form(draft, edited?.etag, edited && (() => this.#readLatest(edited)));
    this.edited = edited;
    this.#start();
    if (waits) this.#continue(waits);
  }

  #start(): void {
    const { own, type } = this.draft;
    this.asksForOwn = !own.text || type === 'transfer';
    this.#filled = { category: '', budget: '', description: '', tags: '', own: keyOf(own) };
  }

  /** Shows what waits on this device in its form, with what the server has said about it. */
  #continue({ id, draft, files, refusal }: WaitingEntry): void {
    this.waitingId = id;
    this.form.values = draft as TransactionDraft;
    this.files = files.map(({ file, name }) => (file instanceof File ? file : new File([file], name, file)));
    if (!refusal) return;
    if (refusal.status === 412) return void this.form.compare();
    const { type, splits } = this.draft;
    const fields = placeErrors(refusal.fields, type, splits.length);
    this.form.showRefusal(new Refused(refusal.status, explainRefusal(refusal), fields, 0, null));
  }

  async #readLatest(edited: EditedTransaction): Promise<Stored<TransactionDraft>> {
    const latest = await edited.read();
    edited.before = latest.values;
    return latest;
  }

  get #own(): NamedAccount[] {
    return this.draft.type === 'transfer' ? [this.draft.own, this.draft.to] : [this.draft.own];
  }

  get #currencies(): string[] {
    return this.#own.flatMap((account) => this.#known.get(keyOf(account)) ?? []);
  }

  /** The currency that the foreign amount must have; null when none is needed. */
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

  /** The amount left to assign to splits; null when it does not apply. */
  get remaining(): bigint | null {
    return remaining(this.draft, this.decimals);
  }

  chooseType(type: TransactionType): void {
    this.draft.type = type;
    this.asksForOwn = type === 'transfer' || !this.draft.own.text;
    // Payees and payers are different accounts, so the name stays but the id does not.
    for (const split of this.draft.splits) split.other.id = null;
    this.#updateSecondAmounts();
  }

  /** Fills in what was last used with a description, without overwriting what was typed. */
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
    if (!split.amount.trim()) split.amount = writeAmount(withoutSign(used.amount, used.currency_dp));
    split.currency = used.currency_code;
    split.category ||= used.category_name ?? '';
    split.budget ||= used.budget_name ?? '';
    if (!draft.tags.length) draft.tags = [...used.tags];
    void this.learnCurrencies();
  }

  /** Fills in what is usual with a payee or payer. The form waits for it before it is sent. */
  followPayee(split: SplitDraft, id: string): void {
    if (this.edited || split !== this.draft.splits[0] || this.draft.splits.length > 1) return;
    const { draft } = this;
    const habit = loadHabit(id, draft.type).catch(() => NO_HABIT);
    decideLater(habit.then((usual) => (split.other.id === id && draft === this.draft ? this.#fillHabit(usual) : null)));
  }

  /** With a new payee nothing is usual. */
  forgetPayee(split: SplitDraft): void {
    if (!this.edited && split === this.draft.splits[0] && this.draft.splits.length === 1)
      void this.#fillHabit(NO_HABIT);
  }

  async #fillHabit(usual: Habit): Promise<void> {
    const { draft } = this;
    const split = draft.splits[0]!;
    const filled = this.#filled;
    const fill = (now: string, name: 'category' | 'budget' | 'description'): string => {
      if (now.trim() && now !== filled[name]) return now;
      return (filled[name] = usual[name]);
    };
    split.category = fill(split.category, 'category');
    split.budget = fill(split.budget, 'budget');
    draft.description = fill(draft.description, 'description');
    if (draft.tags.join() === filled.tags) [draft.tags, filled.tags] = [[...usual.tags], usual.tags.join()];
    if (usual.own && usual.own !== draft.own.id && keyOf(draft.own) === filled.own) await this.#fillOwn(usual.own);
  }

  async #fillOwn(id: string): Promise<void> {
    const before = this.#filled.own;
    const { attributes } = (await get('/api/v1/accounts/{id}', { path: { id } })).data;
    if (!attributes.active || keyOf(this.draft.own) !== before) return;
    this.draft.own = toNamedAccount(id, attributes.name);
    this.#filled.own = keyOf(this.draft.own);
    this.chooseOwn({ currency: attributes.currency_code });
  }

  /** Loads the unknown currencies of the user's own accounts, which typed names and descriptions do not include. */
  async learnCurrencies(): Promise<void> {
    const unknown = this.#own.filter((account) => account.text.trim() && !this.#known.has(keyOf(account)));
    const found = await Promise.all(unknown.map((account) => currencyOf(account).catch(() => null)));
    for (const [at, code] of found.entries()) if (code) this.#known.set(keyOf(unknown[at]!), code);
    usedCurrencies.add(...found.filter((code) => code !== null));
    this.#updateSecondAmounts();
  }

  /** The amounts take the currency of the user's own account until another is chosen. */
  chooseOwn({ currency }: Pick<AccountSuggestion, 'currency'>): void {
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

  /** Asks for a foreign amount where the currencies differ. */
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
      const checked = checkAmounts(split, this.#currencies);
      const amount = explainFormula(split.amount, split.currency) ?? checked.amount;
      const foreign =
        (split.foreignCurrency && explainFormula(split.foreignAmount, split.foreignCurrency)) || checked.foreign;
      if (amount) wrong[`transactions.${at}.amount`] = [amount];
      if (foreign) wrong[`transactions.${at}.foreign_amount`] = [foreign];
    }
    return wrong;
  }

  /** The new last split takes what is left of the total. */
  addSplit(): void {
    const { draft } = this;
    const [first] = draft.splits;
    if (draft.splits.length === 1) draft.total = first!.amount;
    for (const split of draft.splits) split.takesRest = false;
    draft.splits.push({ ...emptySplit(first!.currency), refund: first!.refund, takesRest: true });
    this.assignRest();
  }

  /** The last split takes what the others leave of the total, unless its amount was typed. Run it after amounts change. */
  assignRest(): void {
    const last = this.draft.splits.at(-1)!;
    const rest = this.remaining;
    if (!last.takesRest || rest === null) return;
    const amount = rest + (parseUnits(last.amount, this.decimals) ?? 0n);
    const text = amount > 0n ? writeAmount(fromUnits(amount, this.decimals)) : '';
    if (text !== last.amount) last.amount = text;
  }

  /** An amount that was typed stays; one that was emptied is calculated again. */
  typeAmount(split: SplitDraft): void {
    split.takesRest = !split.amount.trim() && split === this.draft.splits.at(-1);
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

  /** Null when it was refused; the reasons are then shown beside their fields. */
  async save(): Promise<Outcome | null> {
    const rest = this.remaining;
    if (rest !== null && rest !== 0n) {
      this.form.errors = { total: [t.transactions.form.remainingError] };
      return null;
    }
    let answer: Outcome | null = null;
    await this.form.send(async (draft) => {
      await this.learnCurrencies();
      refuse(this.#checkAmounts());
      answer = await this.#send(draft);
    });
    return answer;
  }

  async #send(draft: TransactionDraft): Promise<Outcome> {
    const body = toBody(draft, this.edited?.before);
    usedCurrencies.add(...draft.splits.flatMap(({ currency, foreignCurrency }) => [currency, foreignCurrency]));
    try {
      if (device.isKept || this.waitingId !== null) return await this.#record(draft, body);
      if (!this.edited) return await post('/api/v1/transactions', body);
      return await put('/api/v1/transactions/{id}', body, { path: { id: this.edited.id }, match: this.form.etag });
    } catch (error) {
      if (error instanceof Unreachable) device.ask();
      if (!(error instanceof Refused)) throw error;
      const fields = placeErrors(error.fields, draft.type, draft.splits.length);
      throw new Refused(error.status, error.message, fields, error.retryAfter, error.requestId, error.exception);
    }
  }

  /** It is on this device before it is sent, and waits there if the server does not answer. */
  async #record(draft: TransactionDraft, body: TransactionBody): Promise<Outcome> {
    const { waiting } = await import('$/offline/waiting.svelte');
    const { edited, files } = this;
    const recorded = {
      method: edited ? ('PUT' as const) : ('POST' as const),
      path: edited ? `/api/v1/transactions/${edited.id}` : '/api/v1/transactions',
      body: JSON.stringify(body),
      match: edited ? this.form.etag : null,
      draft,
      before: edited && $state.snapshot(edited.before),
      text: body.description ?? '',
      files,
    };
    const answer =
      this.waitingId === null ? await waiting.record(recorded) : await waiting.change(this.waitingId, recorded);
    // What waits sends its own files.
    this.files = [];
    return (answer as SavedTransaction | null) ?? 'waits';
  }

  /** Starts the next transaction with the same date, type and account. */
  next(): void {
    const { date, type, own, splits } = this.draft;
    this.form.values = { ...emptyDraft(date, splits[0]!.currency, type), own };
    this.files = [];
    this.waitingId = null;
    this.#start();
  }
}

/** The id identifies an account only while its name is unchanged. */
const keyOf = ({ id, text: name, chosenName }: NamedAccount): string =>
  id !== null && name.trim() === chosenName ? `#${id}` : name.trim().toLowerCase();

async function currencyOf(account: NamedAccount): Promise<string | null> {
  const { id, text: name, chosenName } = account;
  if (id !== null && name.trim() === chosenName)
    return (await get('/api/v1/accounts/{id}', { path: { id } })).data.attributes.currency_code;
  const found = await suggestAccounts(OWN)(name.trim(), new AbortController().signal);
  return found.find((one) => one.text.toLowerCase() === name.trim().toLowerCase())?.currency ?? null;
}
