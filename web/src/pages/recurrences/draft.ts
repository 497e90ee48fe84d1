// Converts a recurrence to the values of its form and back.
import type { Recurrence, RecurrenceBody, SplitBody, Transaction } from '$/api/types';
import { addMonths } from '$/days/days';
import { checkAmounts } from '$/form/amounts';
import { t } from '$/messages';
import { withoutSign } from '$/money/money';
import { toApiAmount } from '$/money/parse';
import { suggested, type Rhythm } from './moment';

export type Type = 'withdrawal' | 'deposit' | 'transfer';

export interface Part {
  description: string;
  amount: string;
  /** The side that is not one's own; a transfer has none. */
  other: string;
  /** Whom that name meant when it was read: several accounts may share a name. */
  known?: { id: string; name: string };
  category_name: string;
  budget_name: string;
  foreign_amount: string;
  foreign_currency_code: string;
}

export interface Repetition {
  type: Rhythm;
  moment: string;
  skip: string;
  weekend: string;
  holidays: boolean;
}

export interface Draft {
  type: Type;
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
  parts: Part[];
}

export const newPart = (): Part => ({
  description: '',
  amount: '',
  other: '',
  category_name: '',
  budget_name: '',
  foreign_amount: '',
  foreign_currency_code: '',
});

export function newRepetition(day: string): Repetition {
  return { type: 'monthly', moment: suggested('monthly', day), skip: '0', weekend: '1', holidays: false };
}

export function empty(currency: string, tomorrow: string): Draft {
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
    parts: [newPart()],
  };
}

type Shown = Recurrence['attributes'];
type Meta = Record<string, unknown>[];

export function named(meta: unknown, name: string): Record<string, unknown> {
  return ((meta ?? []) as Meta).find((one) => one.name === name) ?? {};
}

export function ofRecurrence({ attributes: shown, meta }: Recurrence): Draft {
  const type = shown.transaction_type.toLowerCase() as Type;
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
    tags: String(named(meta, 'tags').value ?? ''),
    piggy_bank_id: String(named(meta, 'piggy_bank_id').value ?? ''),
    repetitions: shown.recurrence_repetitions.map(repetitionOf),
    parts: shown.transactions.map((split) => partOf(split, type)),
  };
}

function repetitionOf(shown: Shown['recurrence_repetitions'][number]): Repetition {
  return {
    type: shown.repetition_type as Rhythm,
    moment: shown.repetition_moment,
    skip: String(shown.repetition_skip),
    weekend: String(shown.weekend),
    holidays: shown.holidays,
  };
}

/** The other side of a type, as the API shows it on a split. */
function otherSide(
  split: { source_id: number; source_name: string; destination_id: number; destination_name: string },
  type: Type,
): Pick<Part, 'other' | 'known'> {
  if (type === 'transfer') return { other: '' };
  const [id, name] =
    type === 'withdrawal' ? [split.destination_id, split.destination_name] : [split.source_id, split.source_name];
  return { other: name, known: { id: String(id), name } };
}

function partOf(split: Shown['transactions'][number], type: Type): Part {
  return {
    ...otherSide(split, type),
    description: split.description,
    amount: split.amount,
    category_name: String(named(split.meta, 'category_name').value ?? ''),
    budget_name: String(named(split.meta, 'budget_id').budget_name ?? ''),
    foreign_amount: split.foreign_amount ?? '',
    foreign_currency_code: split.foreign_currency_code ?? '',
  };
}

/** A month later, and as many more as it takes to lie ahead. */
export function nextAfter(day: string, today: string): string {
  for (let months = 1; ; months++) {
    const next = addMonths(day, months);
    if (next > today) return next;
  }
}

export function ofTransaction(splits: Transaction[], today: string): Draft {
  const first = splits[0]!.attributes;
  const type = (
    ['deposit', 'transfer'].includes(first.type.toLowerCase()) ? first.type.toLowerCase() : 'withdrawal'
  ) as Type;
  const day = nextAfter(first.date, today);
  return {
    ...empty(first.currency_code, day),
    type,
    title: first.journal_description,
    source_id: type === 'deposit' ? '' : String(first.source_id),
    destination_id: type === 'withdrawal' ? '' : String(first.destination_id),
    tags: first.tags ?? '',
    repetitions: [{ ...newRepetition(day), moment: suggested('monthly', first.date) }],
    parts: splits.map(({ attributes: one }) => ({
      description: one.transaction_description ?? one.journal_description,
      amount: withoutSign(one.amount, one.currency_dp),
      ...otherSide(one, type),
      category_name: one.category_name ?? '',
      budget_name: one.budget_name ?? '',
      foreign_amount: one.foreign_amount === null ? '' : withoutSign(one.foreign_amount, one.foreign_currency_dp ?? 2),
      foreign_currency_code: one.foreign_currency_code ?? '',
    })),
  };
}

const amount = (input: string, code: string): string | null => toApiAmount(input, code) || null;

function split(part: Part, draft: Draft): SplitBody {
  const meant = part.known && part.known.name === part.other ? { id: part.known.id } : { name: part.other };
  return {
    description: part.description,
    amount: amount(part.amount, draft.currency_code),
    currency_code: draft.currency_code,
    ...(draft.type === 'deposit'
      ? { source_id: meant.id, source_name: meant.name }
      : { source_id: draft.source_id || null }),
    ...(draft.type === 'withdrawal'
      ? { destination_id: meant.id, destination_name: meant.name }
      : { destination_id: draft.destination_id || null }),
    category_name: part.category_name || null,
    budget_name: draft.type === 'withdrawal' ? part.budget_name || null : null,
    foreign_amount: amount(part.foreign_amount, part.foreign_currency_code),
    foreign_currency_code: part.foreign_amount.trim() ? part.foreign_currency_code || null : null,
  };
}

/** A field for numbers gives a number, or nothing at all. */
const typedNumber = (input: string | number | null | undefined): string => String(input ?? '').trim();

/** Which field says when it ends, and what stands in it. */
function ending(draft: Draft): { field: 'repeat_until' | 'nr_of_repetitions'; said: string } | null {
  if (draft.ends === 'until') return { field: 'repeat_until', said: draft.repeat_until };
  return draft.ends === 'count' ? { field: 'nr_of_repetitions', said: typedNumber(draft.nr_of_repetitions) } : null;
}

/** To the API an ending that is missing means: never. Whoever chose one must say which. */
export function lacks(draft: Draft): Record<string, string[]> {
  const end = ending(draft);
  return end && !end.said ? { [end.field]: [t.form.required] } : {};
}

/** Which currency each account counts in is known by its id. */
export function misfits(draft: Draft, accounts: { id: string; currency: string }[]): Record<string, string[]> {
  const own = [
    draft.type === 'deposit' ? '' : draft.source_id,
    draft.type === 'withdrawal' ? '' : draft.destination_id,
  ];
  const counted = accounts.filter(({ id }) => own.includes(id)).map(({ currency }) => currency);
  const wrong: Record<string, string[]> = {};
  for (const [at, part] of draft.parts.entries()) {
    const { amount: of, foreign } = checkAmounts(
      {
        currency: draft.currency_code,
        foreignAmount: part.foreign_amount,
        foreignCurrency: part.foreign_currency_code,
      },
      counted,
    );
    if (of) wrong[`transactions.${at}.amount`] = [of];
    if (foreign) wrong[`transactions.${at}.foreign_amount`] = [foreign];
  }
  return wrong;
}

/** Only what the days depend on. */
export function schedule(
  draft: Draft,
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

export function body(draft: Draft): RecurrenceBody {
  return {
    ...schedule(draft),
    type: draft.type,
    title: draft.title,
    description: draft.description || null,
    apply_rules: draft.apply_rules,
    active: draft.active,
    tags: draft.tags,
    piggy_bank_id: draft.type === 'transfer' ? draft.piggy_bank_id || null : null,
    transactions: draft.parts.map((part) => split(part, draft)),
  };
}

/** Is anything still to be typed before the days can be known? */
export function complete(draft: Draft): boolean {
  return (
    Boolean(draft.first_date && (ending(draft)?.said ?? true)) &&
    draft.repetitions.every(({ type, moment }) => type === 'daily' || moment !== '')
  );
}

/** The days do not depend on the money: they show before a title or an amount is there. `own` is any account of one's own. */
export function tryout(draft: Draft, own: string): RecurrenceBody {
  const placeholder = {
    description: '-',
    amount: '1',
    currency_code: draft.currency_code,
    source_id: own,
    destination_name: '-',
  };
  return {
    ...schedule(draft),
    type: 'withdrawal',
    title: '-',
    apply_rules: false,
    active: true,
    transactions: [placeholder],
  };
}
