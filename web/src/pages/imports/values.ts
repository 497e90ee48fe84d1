// The payee, category, budget and tags of a row in a preview: chosen, from the file, or suggested. Pure.
import type { ImportPreviewRow, RowValues, Suggested } from '$/api/types';

/** A suggestion with less confidence is only offered; the others are filled in. A payee is less often in doubt. */
const SURE = { category: 0.9, payee: 0.8, budget: 0.9, tags: 0.9 };

export interface Value {
  text: string;
  /** It was filled in from earlier transactions, and is booked unless the user changes it. */
  isSuggested: boolean;
  /** What earlier transactions suggest without being sure. */
  offered: string | null;
}

export type ValuesByRow = Record<string, RowValues>;
export type ValueField = 'category' | 'payee' | 'budget' | 'tags';
export type Values = Omit<Record<ValueField, Value>, 'budget'> & { budget?: Value };

/** Tags in one text. */
export const joinTags = (tags: string[]): string => tags.join(', ');
export const splitTags = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);

/** Null for rows whose values cannot be chosen: transfers, and rows of several parts. Only withdrawals have budgets. */
export function valuesOf(row: ImportPreviewRow, chosen?: RowValues): Values | null {
  const [transaction, ...others] = row.transactions;
  const split = transaction?.splits[0];
  if (row.outcome !== 'new' || !split || others.length || transaction.splits.length > 1) return null;
  if (transaction.type === 'transfer') return null;
  const payee = transaction.type === 'deposit' ? split.source_name : split.destination_name;
  const { suggestion } = row;
  return {
    category: fill('category', chosen?.category_name ?? null, split.category_name ?? '', suggestion?.category),
    payee: fill('payee', chosen?.payee_name ?? null, payee, suggestion?.payee),
    ...(transaction.type === 'withdrawal' && {
      budget: fill('budget', chosen?.budget_name ?? null, split.budget_name ?? '', suggestion?.budget),
    }),
    tags: fillTags(chosen?.tags ?? null, transaction.tags, suggestion?.tags ?? []),
  };
}

function fill(field: ValueField, chosen: string | null, planned: string, suggested?: Suggested | null): Value {
  const isNews = suggested && suggested.name !== planned;
  if (chosen !== null || !isNews) return { text: chosen ?? planned, isSuggested: false, offered: null };
  const isSure = Number(suggested.confidence) >= SURE[field];
  return { text: isSure ? suggested.name : planned, isSuggested: isSure, offered: isSure ? null : suggested.name };
}

/** Suggested tags are added to those that the row has. */
function fillTags(chosen: string[] | null, planned: string[], suggested: Suggested[]): Value {
  if (chosen !== null) return { text: joinTags(chosen), isSuggested: false, offered: null };
  const news = suggested.filter(({ name }) => !planned.includes(name));
  const sure = news.filter(({ confidence }) => Number(confidence) >= SURE.tags).map(({ name }) => name);
  const unsure = news.filter(({ name }) => !sure.includes(name)).map(({ name }) => name);
  return {
    text: joinTags([...planned, ...sure]),
    isSuggested: sure.length > 0,
    offered: sure.length || !unsure.length ? null : joinTags([...planned, ...unsure]),
  };
}

const NOTHING: RowValues = { category_name: null, payee_name: null, budget_name: null, tags: null };

export function choose(values: ValuesByRow, row: number, field: ValueField, text: string): ValuesByRow {
  const before = values[row] ?? NOTHING;
  return {
    ...values,
    [row]: { ...before, ...(field === 'tags' ? { tags: splitTags(text) } : { [`${field}_name`]: text }) },
  };
}

/** Keeps what is filled in for these rows, as if the user had chosen it. */
export function acceptFilled(values: ValuesByRow, rows: ImportPreviewRow[]): ValuesByRow {
  let kept = values;
  for (const row of rows)
    for (const [field, value] of Object.entries(valuesOf(row, values[row.row]) ?? {}))
      if (value?.isSuggested) kept = choose(kept, row.row, field as ValueField, value.text);
  return kept;
}
