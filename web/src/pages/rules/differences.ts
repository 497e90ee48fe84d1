// What a rule changes in a transaction, field by field.
import type { Transaction } from '$/api/types';
import { seldom } from '$/messages/seldom';

export interface Difference {
  field: string;
  before: string;
  after: string;
}

type Attributes = Transaction['attributes'];
const words = seldom.rules.trial.fields;
const FIELDS: [string, (split: Attributes) => string | null][] = [
  [words.description, (split) => split.journal_description],
  [words.source, (split) => split.source_name],
  [words.destination, (split) => split.destination_name],
  [words.category, (split) => split.category_name],
  [words.budget, (split) => split.budget_name],
  [words.tags, (split) => split.tags?.split(',').join(', ') ?? null],
  [words.notes, (split) => split.notes],
  [words.bill, (split) => split.bill_name],
];

/** Splits that agree are shown once. */
export function listDifferences(before: Transaction[], after: Transaction[]): Difference[] {
  return FIELDS.map(([field, read]) => ({ field, before: join(before, read), after: join(after, read) })).filter(
    (one) => one.before !== one.after,
  );
}

function join(splits: Transaction[], read: (split: Attributes) => string | null): string {
  const found = splits.map(({ attributes }) => read(attributes) ?? '');
  const [first = '', ...others] = found;
  return others.every((one) => one === first) ? first : found.map((one) => one || seldom.rules.trial.none).join(', ');
}
