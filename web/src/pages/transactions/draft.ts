// Converts a transaction to the values of its form and back.
import type { SplitBody, Transaction, TransactionBody } from '$/api/types';
import type { Day } from '$/days/days';
import { t } from '$/messages';
import { fromUnits, withoutSign } from '$/money/money';
import { toApiAmount, parseUnits, writeAmount } from '$/money/parse';

export type TransactionType = 'withdrawal' | 'deposit' | 'transfer';
export const TYPES: TransactionType[] = ['withdrawal', 'deposit', 'transfer'];
export const DAYS = ['interest_date', 'book_date', 'process_date', 'due_date', 'payment_date', 'invoice_date'] as const;
export type ExtraDay = (typeof DAYS)[number];

/** A typed name and the account it was chosen from. The id is valid only while the text is unchanged. */
export interface NamedAccount {
  text: string;
  id: string | null;
  chosenName: string;
}

export interface SplitDraft {
  amount: string;
  currency: string;
  foreignAmount: string;
  /** Empty when there is no foreign amount. */
  foreignCurrency: string;
  /** The payee or payer; if empty in a later split, that of the first. */
  other: NamedAccount;
  description: string;
  category: string;
  budget: string;
  reconciled: boolean;
  /** A deposit that gives back what was spent: it may have a budget. */
  refund: boolean;
  /** Its amount is what the other splits leave of the total, until somebody types one. */
  takesRest: boolean;
}

export interface TransactionDraft {
  type: TransactionType;
  date: Day;
  description: string;
  /** The user's own account; the source of a transfer. */
  own: NamedAccount;
  /** The destination of a transfer. */
  to: NamedAccount;
  total: string;
  splits: SplitDraft[];
  tags: string[];
  bill: string;
  piggyBank: string;
  notes: string;
  internal_reference: string;
  external_id: string;
  days: Record<ExtraDay, string>;
}

export const noAccount = (): NamedAccount => ({ text: '', id: null, chosenName: '' });
export const toNamedAccount = (id: string | number, name: string): NamedAccount => ({
  text: name,
  id: String(id),
  chosenName: name,
});

export function emptySplit(currency: string): SplitDraft {
  return {
    amount: '',
    currency,
    foreignAmount: '',
    foreignCurrency: '',
    other: noAccount(),
    description: '',
    category: '',
    budget: '',
    reconciled: false,
    refund: false,
    takesRest: false,
  };
}

export function emptyDraft(date: Day, currency: string, type: TransactionType = 'withdrawal'): TransactionDraft {
  const days = Object.fromEntries(DAYS.map((name) => [name, ''])) as Record<ExtraDay, string>;
  return {
    type,
    date,
    description: '',
    own: noAccount(),
    to: noAccount(),
    total: '',
    splits: [emptySplit(currency)],
    tags: [],
    bill: '',
    piggyBank: '',
    notes: '',
    internal_reference: '',
    external_id: '',
    days,
  };
}

export function typeOf(label: string): TransactionType | null {
  return TYPES.find((type) => type === label.toLowerCase()) ?? null;
}

/** Null for transactions that cannot be edited: opening balances and reconciliations. */
export function draftFromLines(lines: Transaction[], piggyBank = ''): TransactionDraft | null {
  const first = lines[0]!.attributes;
  const type = typeOf(first.type);
  if (!type) return null;
  const source = toNamedAccount(first.source_id, first.source_name);
  const destination = toNamedAccount(first.destination_id, first.destination_name);
  const draft = emptyDraft(first.date, first.currency_code, type);
  const splits = lines.map((line) => splitFrom(line, type));
  for (const split of splits.slice(1)) if (split.other.id === splits[0]!.other.id) split.other = noAccount();
  return {
    ...draft,
    description: first.journal_description,
    own: type === 'deposit' ? destination : source,
    to: type === 'transfer' ? destination : noAccount(),
    splits,
    total: splits.length > 1 ? sumOf(splits, first.currency_dp) : '',
    tags: first.tags ? first.tags.split(',') : [],
    bill: first.bill_name ?? '',
    piggyBank,
    notes: first.notes ?? '',
    internal_reference: first.internal_reference ?? '',
    external_id: first.external_id ?? '',
    days: Object.fromEntries(DAYS.map((name) => [name, first[name] ?? ''])) as Record<ExtraDay, string>,
  };
}

function splitFrom({ attributes }: Transaction, type: TransactionType): SplitDraft {
  const { foreign_amount, foreign_currency_code, foreign_currency_dp } = attributes;
  const other =
    type === 'deposit'
      ? toNamedAccount(attributes.source_id, attributes.source_name)
      : toNamedAccount(attributes.destination_id, attributes.destination_name);
  return {
    amount: writeAmount(withoutSign(attributes.amount, attributes.currency_dp)),
    currency: attributes.currency_code,
    foreignAmount: foreign_amount === null ? '' : writeAmount(withoutSign(foreign_amount, foreign_currency_dp ?? 2)),
    foreignCurrency: foreign_amount === null ? '' : (foreign_currency_code ?? ''),
    other: type === 'transfer' ? noAccount() : other,
    description: attributes.transaction_description ?? '',
    category: attributes.category_name ?? '',
    budget: attributes.budget_name ?? '',
    reconciled: attributes.reconciled,
    refund: Boolean(attributes.refund),
    takesRest: false,
  };
}

export function sumOf(splits: SplitDraft[], decimals: number): string {
  const sum = splits.reduce((total, split) => total + (parseUnits(split.amount, decimals) ?? 0n), 0n);
  return writeAmount(fromUnits(sum, decimals));
}

/** The total minus the splits. Null with only one split, two currencies or no total. */
export function remaining(draft: Pick<TransactionDraft, 'total' | 'splits'>, decimals: number): bigint | null {
  const { splits, total } = draft;
  if (splits.length < 2 || splits.some(({ currency }) => currency !== splits[0]!.currency)) return null;
  const whole = parseUnits(total, decimals);
  if (whole === null) return null;
  return whole - (parseUnits(sumOf(splits, decimals), decimals) ?? 0n);
}

function sideBody(side: 'source' | 'destination', { text: name, id, chosenName }: NamedAccount): Partial<SplitBody> {
  const trimmed = name.trim();
  if (id !== null && trimmed === chosenName) return { [`${side}_id`]: id };
  return trimmed ? { [`${side}_name`]: trimmed } : {};
}

/** Withdrawals have budgets, and deposits that are refunds. */
export function hasBudget(type: TransactionType, { refund }: Pick<SplitDraft, 'refund'>): boolean {
  return type === 'withdrawal' || (type === 'deposit' && refund);
}

function splitBody(draft: TransactionDraft, split: SplitDraft, text: string, hadRefund: boolean): SplitBody {
  const { type, own, to, splits } = draft;
  const other = split.other.text.trim() ? split.other : splits[0]!.other;
  const source = type === 'deposit' ? other : own;
  const destination = type === 'deposit' ? own : type === 'transfer' ? to : other;
  return {
    amount: toApiAmount(split.amount, split.currency),
    currency_code: split.currency,
    ...sideBody('source', source),
    ...sideBody('destination', destination),
    ...(split.foreignCurrency &&
      split.foreignAmount.trim() && {
        foreign_amount: toApiAmount(split.foreignAmount, split.foreignCurrency),
        foreign_currency_code: split.foreignCurrency,
      }),
    ...(split.category.trim() && { category_name: split.category.trim() }),
    ...(hasBudget(type, split) && split.budget.trim() && { budget_name: split.budget.trim() }),
    ...(type === 'deposit' && (split.refund || hadRefund) && { refund: split.refund }),
    ...(text && { description: text }),
    ...(split.reconciled && { reconciled: true }),
  };
}

/** A purchase is called like its shop, unless it is described. */
function describe({ type, splits }: TransactionDraft): string {
  return type === 'transfer' ? '' : splits[0]!.other.text.trim();
}

/** The texts of the splits: if none is typed, the category. The API wants each to differ from the others and from that of the whole. */
export function splitTexts(draft: TransactionDraft): string[] {
  const { splits } = draft;
  if (splits.length < 2) return splits.map(({ description }) => description.trim());
  const whole = draft.description.trim() || describe(draft);
  const texts = splits.map(({ description, category }) => description.trim() || category.trim() || whole);
  return texts.map((text, at) => {
    const isTaken = text === whole || texts.some((other, place) => other === text && place !== at);
    return text && isTaken && !splits[at]!.description.trim() ? t.transactions.form.splitText(text, at + 1) : text;
  });
}

/** The body of a POST or PUT. An unchanged link to a bill or piggy bank is omitted, so that it stays unchanged. */
export function toBody(draft: TransactionDraft, before: TransactionDraft | null = null): TransactionBody {
  const days = DAYS.filter((name) => draft.days[name]).map((name) => [name, draft.days[name]]);
  const bill = draft.bill.trim();
  // If a change omits the refund flag, it stays set.
  const hadRefund = before?.splits.some(({ refund }) => refund) ?? false;
  const texts = splitTexts(draft);
  const linksBill = draft.type === 'withdrawal' && bill !== (before?.bill ?? '');
  const linksPiggyBank = draft.type === 'transfer' && draft.piggyBank !== (before?.piggyBank ?? '');
  return {
    type: draft.type,
    date: draft.date,
    description: draft.description.trim() || describe(draft),
    tags: draft.tags,
    ...(draft.notes.trim() && { notes: draft.notes }),
    ...(draft.internal_reference.trim() && { internal_reference: draft.internal_reference.trim() }),
    // Omitted, it stays; empty, it goes.
    ...((before?.external_id ?? '') !== draft.external_id.trim() && { external_id: draft.external_id.trim() }),
    ...(linksBill && { bill_name: bill }),
    ...(linksPiggyBank && { piggy_bank_id: draft.piggyBank }),
    ...Object.fromEntries(days),
    transactions: draft.splits.map((split, at) => splitBody(draft, split, texts[at]!, hadRefund)),
  };
}

const SPLIT_FIELD = /^transactions\.(\d+)\.(\w+)$/;

/** The form's field for an API field. */
function fieldFor(name: string, type: TransactionType, count: number): string {
  const [, at, field] = SPLIT_FIELD.exec(name) ?? [];
  if (!field)
    return /^(bill|piggy_bank)_/.test(name) ? name.replace(/_(id|name)$/, '') : name.replace(/^tags\..*/, 'tags');
  const side = field.replace(/_(id|name)$/, '');
  const isOwn = side === (type === 'deposit' ? 'destination' : 'source');
  if (side === 'source' || side === 'destination')
    return isOwn ? 'own' : type === 'transfer' ? 'to' : `transactions.${at}.other`;
  if (field.startsWith('foreign_')) return `transactions.${at}.foreign_amount`;
  if (field.startsWith('currency_')) return `transactions.${at}.amount`;
  if (field === 'description' && count < 2) return 'description';
  return `transactions.${at}.${side}`;
}

/** Shortens `transactions.1.foreign_amount` in an error to `foreign amount`, because it is shown beside the field. */
function shortenNames(reason: string): string {
  const named = reason.replace(/\btransactions\.\d+\.(\w+)/g, (_, field: string) =>
    field.replace(/_(id|name|code)$/, '').replaceAll('_', ' '),
  );
  return named.replace(/, or \w+_(id|name|code)\b/, '');
}

/** Calls a field as the form does: `The source field is required.` becomes `“From account” is required.` */
function nameFields(reason: string, type: TransactionType, count: number): string {
  const words = t.transactions.form;
  const own = type === 'deposit' ? 'destination' : 'source';
  const named = reason.replace(
    /\bThe (source|destination) field\b/g,
    (_, side: string) => `“${side === own ? words.own[type] : words.other[type]}”`,
  );
  return count < 2 ? named.replace('The description field is required: here or in the split.', words.needsName) : named;
}

export function placeErrors(
  fields: Record<string, string[]>,
  type: TransactionType,
  count: number,
): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [name, reasons] of Object.entries(fields)) {
    const place = fieldFor(name, type, count);
    found[place] = [
      ...new Set([...(found[place] ?? []), ...reasons.map((one) => nameFields(shortenNames(one), type, count))]),
    ];
  }
  return found;
}
