// The category and payee of a row in a preview: chosen, from the file, or suggested. Pure.
import type { ImportPreviewRow, RowValues, Suggested } from '$/api/types';

/** A suggestion with less confidence is only offered; the others are filled in. A payee is less often in doubt. */
const SURE = { category: 0.9, payee: 0.8 };

export interface Value {
  text: string;
  /** It was filled in from earlier transactions, and is booked unless the user changes it. */
  isSuggested: boolean;
  /** What earlier transactions suggest without being sure. */
  offered: string | null;
}

export type ValuesByRow = Record<string, RowValues>;
export type ValueField = 'category' | 'payee';

/** Null for rows whose category and payee cannot be chosen: transfers, and rows of several parts. */
export function valuesOf(row: ImportPreviewRow, chosen?: RowValues): Record<ValueField, Value> | null {
  const [transaction, ...others] = row.transactions;
  const split = transaction?.splits[0];
  if (row.outcome !== 'new' || !split || others.length || transaction.splits.length > 1) return null;
  if (transaction.type === 'transfer') return null;
  const payee = transaction.type === 'deposit' ? split.source_name : split.destination_name;
  const { suggestion } = row;
  return {
    category: fill('category', chosen?.category_name ?? null, split.category_name ?? '', suggestion?.category),
    payee: fill('payee', chosen?.payee_name ?? null, payee, suggestion?.payee),
  };
}

function fill(field: ValueField, chosen: string | null, planned: string, suggested?: Suggested | null): Value {
  const isNews = suggested && suggested.name !== planned;
  if (chosen !== null || !isNews) return { text: chosen ?? planned, isSuggested: false, offered: null };
  const isSure = Number(suggested.confidence) >= SURE[field];
  return { text: isSure ? suggested.name : planned, isSuggested: isSure, offered: isSure ? null : suggested.name };
}

export function choose(values: ValuesByRow, row: number, field: ValueField, text: string): ValuesByRow {
  const before = values[row] ?? { category_name: null, payee_name: null };
  return { ...values, [row]: { ...before, [`${field}_name`]: text } };
}

/** Keeps what is filled in for these rows, as if the user had chosen it. */
export function acceptFilled(values: ValuesByRow, rows: ImportPreviewRow[]): ValuesByRow {
  let kept = values;
  for (const row of rows)
    for (const [field, value] of Object.entries(valuesOf(row, values[row.row]) ?? {}))
      if (value.isSuggested) kept = choose(kept, row.row, field as ValueField, value.text);
  return kept;
}
