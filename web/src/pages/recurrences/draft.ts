// Converts a recurrence to the values of its form and back.
import type { Recurrence, RecurrenceBody, SplitBody, Transaction } from '$/api/types';
import { addMonths } from '$/days/days';
import { checkAmounts } from '$/form/amounts';
import { t } from '$/messages';
import { withoutSign } from '$/money/money';
import { toApiAmount, writeAmount } from '$/money/parse';
import { suggestMoment, type RepetitionType } from './moment';

export type TransactionType = 'withdrawal' | 'deposit' | 'transfer';

export interface RecurrenceSplit {
  description: string;
  amount: string;
  /** The payee or payer; empty for a transfer. */
  other: string;
  /** The account that `other` was read from, because several accounts may share a name. */
  known?: { id: string; name: string };
  category_name: string;
  budget_name: string;
  foreign_amount: string;
  foreign_currency_code: string;
}

export interface Repetition {
  type: RepetitionType;
  moment: string;
  skip: string;
  weekend: string;
  holidays: boolean;
}

export interface RecurrenceDraft {
  type: TransactionType;
  title: string;
  description: string;
  source_id: string;
  destination_id: string;
  currency_code: string;
  first_date: string;
  ends: 'never' | 'until' | 'count';
  repeat_until: string;
  nr_of_repetitions: string;
  apply_rules: boolean;
  active: boolean;
  tags: string;
  piggy_bank_id: string;
  repetitions: Repetition[];
  splits: RecurrenceSplit[];
}

export const newSplit = (): RecurrenceSplit => ({
  description: '',
  amount: '',
  other: '',
  category_name: '',
  budget_name: '',
  foreign_amount: '',
  foreign_currency_code: '',
});

export function newRepetition(day: string): Repetition {
  return { type: 'monthly', moment: suggestMoment('monthly', day), skip: '0', weekend: '1', holidays: false };
}

export function emptyDraft(currency: string, tomorrow: string): RecurrenceDraft {
  return {
    type: 'withdrawal',
    title: '',
    description: '',
    source_id: '',
    destination_id: '',
    currency_code: currency,
    first_date: tomorrow,
    ends: 'never',
    repeat_until: '',
    nr_of_repetitions: '',
    apply_rules: true,
    active: true,
    tags: '',
    piggy_bank_id: '',
    repetitions: [newRepetition(tomorrow)],
    splits: [newSplit()],
  };
}

type RecurrenceAttributes = Recurrence['attributes'];
type Meta = Record<string, unknown>[];

export function findMeta(meta: unknown, name: string): Record<string, unknown> {
  return ((meta ?? []) as Meta).find((one) => one.name === name) ?? {};
}

export function draftFromRecurrence({ attributes: shown, meta }: Recurrence): RecurrenceDraft {
  const type = shown.transaction_type.toLowerCase() as TransactionType;
  const first = shown.transactions[0]!;
  return {
    type,
    title: shown.title,
    description: shown.description,
    source_id: type === 'deposit' ? '' : String(first.source_id),
    destination_id: type === 'withdrawal' ? '' : String(first.destination_id),
    currency_code: first.currency_code,
    first_date: shown.first_date,
    ends: shown.repeat_until ? 'until' : shown.repetitions ? 'count' : 'never',
    repeat_until: shown.repeat_until ?? '',
    nr_of_repetitions: shown.repetitions ? String(shown.repetitions) : '',
    apply_rules: shown.apply_rules,
    active: shown.active,
    tags: String(findMeta(meta, 'tags').value ?? ''),
    piggy_bank_id: String(findMeta(meta, 'piggy_bank_id').value ?? ''),
    repetitions: shown.recurrence_repetitions.map(repetitionFrom),
    splits: shown.transactions.map((split) => splitFrom(split, type)),
  };
}

function repetitionFrom(shown: RecurrenceAttributes['recurrence_repetitions'][number]): Repetition {
  return {
    type: shown.repetition_type as RepetitionType,
    moment: shown.repetition_moment,
    skip: String(shown.repetition_skip),
    weekend: String(shown.weekend),
    holidays: shown.holidays,
  };
}

/** The payee or payer of a split from the API. */
function otherSide(
  split: { source_id: number; source_name: string; destination_id: number; destination_name: string },
  type: TransactionType,
): Pick<RecurrenceSplit, 'other' | 'known'> {
  if (type === 'transfer') return { other: '' };
  const [id, name] =
    type === 'withdrawal' ? [split.destination_id, split.destination_name] : [split.source_id, split.source_name];
  return { other: name, known: { id: String(id), name } };
}

function splitFrom(split: RecurrenceAttributes['transactions'][number], type: TransactionType): RecurrenceSplit {
  return {
    ...otherSide(split, type),
    description: split.description,
    amount: writeAmount(split.amount),
    category_name: String(findMeta(split.meta, 'category_name').value ?? ''),
    budget_name: String(findMeta(split.meta, 'budget_id').budget_name ?? ''),
    foreign_amount: writeAmount(split.foreign_amount ?? ''),
    foreign_currency_code: split.foreign_currency_code ?? '',
  };
}

/** The same day in the first later month that lies in the future. */
export function nextAfter(day: string, today: string): string {
  for (let months = 1; ; months++) {
    const next = addMonths(day, months);
    if (next > today) return next;
  }
}

export function draftFromTransaction(splits: Transaction[], today: string): RecurrenceDraft {
  const first = splits[0]!.attributes;
  const type = (
    ['deposit', 'transfer'].includes(first.type.toLowerCase()) ? first.type.toLowerCase() : 'withdrawal'
  ) as TransactionType;
  const day = nextAfter(first.date, today);
  return {
    ...emptyDraft(first.currency_code, day),
    type,
    title: first.journal_description,
    source_id: type === 'deposit' ? '' : String(first.source_id),
    destination_id: type === 'withdrawal' ? '' : String(first.destination_id),
    tags: first.tags ?? '',
    repetitions: [{ ...newRepetition(day), moment: suggestMoment('monthly', first.date) }],
    splits: splits.map(({ attributes: one }) => ({
      description: one.transaction_description ?? one.journal_description,
      amount: writeAmount(withoutSign(one.amount, one.currency_dp)),
      ...otherSide(one, type),
      category_name: one.category_name ?? '',
      budget_name: one.budget_name ?? '',
      foreign_amount:
        one.foreign_amount === null ? '' : writeAmount(withoutSign(one.foreign_amount, one.foreign_currency_dp ?? 2)),
      foreign_currency_code: one.foreign_currency_code ?? '',
    })),
  };
}

const amount = (input: string, code: string): string | null => toApiAmount(input, code) || null;

function toSplitBody(split: RecurrenceSplit, draft: RecurrenceDraft): SplitBody {
  const party = split.known && split.known.name === split.other ? { id: split.known.id } : { name: split.other };
  return {
    description: split.description,
    amount: amount(split.amount, draft.currency_code),
    currency_code: draft.currency_code,
    ...(draft.type === 'deposit'
      ? { source_id: party.id, source_name: party.name }
      : { source_id: draft.source_id || null }),
    ...(draft.type === 'withdrawal'
      ? { destination_id: party.id, destination_name: party.name }
      : { destination_id: draft.destination_id || null }),
    category_name: split.category_name || null,
    budget_name: draft.type === 'withdrawal' ? split.budget_name || null : null,
    foreign_amount: amount(split.foreign_amount, split.foreign_currency_code),
    foreign_currency_code: split.foreign_amount.trim() ? split.foreign_currency_code || null : null,
  };
}

/** A number field gives a number, or null when it is empty. */
const typedNumber = (input: string | number | null | undefined): string => String(input ?? '').trim();

/** The field of the chosen ending and its value. */
function endingOf(draft: RecurrenceDraft): { field: 'repeat_until' | 'nr_of_repetitions'; value: string } | null {
  if (draft.ends === 'until') return { field: 'repeat_until', value: draft.repeat_until };
  return draft.ends === 'count' ? { field: 'nr_of_repetitions', value: typedNumber(draft.nr_of_repetitions) } : null;
}

/** The API takes a missing ending as "never", so a chosen ending must have a value. */
export function checkEnding(draft: RecurrenceDraft): Record<string, string[]> {
  const end = endingOf(draft);
  return end && !end.value ? { [end.field]: [t.form.required] } : {};
}

/** Checks that each of the user's accounts has an amount in its currency. */
export function checkCurrencies(
  draft: RecurrenceDraft,
  accounts: { id: string; currency: string }[],
): Record<string, string[]> {
  const own = [
    draft.type === 'deposit' ? '' : draft.source_id,
    draft.type === 'withdrawal' ? '' : draft.destination_id,
  ];
  const counted = accounts.filter(({ id }) => own.includes(id)).map(({ currency }) => currency);
  const wrong: Record<string, string[]> = {};
  for (const [at, split] of draft.splits.entries()) {
    const { amount: of, foreign } = checkAmounts(
      {
        currency: draft.currency_code,
        foreignAmount: split.foreign_amount,
        foreignCurrency: split.foreign_currency_code,
      },
      counted,
    );
    if (of) wrong[`transactions.${at}.amount`] = [of];
    if (foreign) wrong[`transactions.${at}.foreign_amount`] = [foreign];
  }
  return wrong;
}

/** Only the fields that the dates depend on. */
export function scheduleOf(
  draft: RecurrenceDraft,
): Pick<RecurrenceBody, 'first_date' | 'repeat_until' | 'nr_of_repetitions' | 'repetitions'> {
  return {
    first_date: draft.first_date || null,
    repeat_until: draft.ends === 'until' ? draft.repeat_until || null : null,
    nr_of_repetitions: draft.ends === 'count' ? typedNumber(draft.nr_of_repetitions) || null : null,
    repetitions: draft.repetitions.map((one) => ({
      ...one,
      moment: one.type === 'daily' ? '' : one.moment,
      skip: typedNumber(one.skip) || '0',
    })),
  };
}

export function toBody(draft: RecurrenceDraft): RecurrenceBody {
  return {
    ...scheduleOf(draft),
    type: draft.type,
    title: draft.title,
    description: draft.description || null,
    apply_rules: draft.apply_rules,
    active: draft.active,
    tags: draft.tags,
    piggy_bank_id: draft.type === 'transfer' ? draft.piggy_bank_id || null : null,
    transactions: draft.splits.map((split) => toSplitBody(split, draft)),
  };
}

/** True when the dates can be calculated. */
export function isComplete(draft: RecurrenceDraft): boolean {
  return (
    Boolean(draft.first_date && (endingOf(draft)?.value ?? true)) &&
    draft.repetitions.every(({ type, moment }) => type === 'daily' || moment !== '')
  );
}

/** A body with placeholders, because the dates do not depend on title and amount. `own` is any account of the user. */
export function previewBody(draft: RecurrenceDraft, own: string): RecurrenceBody {
  const placeholder = {
    description: '-',
    amount: '1',
    currency_code: draft.currency_code,
    source_id: own,
    destination_name: '-',
  };
  return {
    ...scheduleOf(draft),
    type: 'withdrawal',
    title: '-',
    apply_rules: false,
    active: true,
    transactions: [placeholder],
  };
}
