// What somebody usually does with a payee or payer: read from the latest transactions with them.
import { get } from '$/api/client';
import { typeOf, type TransactionType } from './draft';

export interface Habit {
  /** The id of the user's own account; empty when none is known. */
  own: string;
  category: string;
  budget: string;
  tags: string[];
  description: string;
}

export const NO_HABIT: Habit = { own: '', category: '', budget: '', tags: [], description: '' };

const LATEST = 6;

export async function loadHabit(payee: string, type: TransactionType): Promise<Habit> {
  const { data } = await get('/api/v1/accounts/{id}/transactions', {
    path: { id: payee },
    query: { type, limit: LATEST },
  });
  const lines = data.map(({ attributes }) => attributes).filter((line) => typeOf(line.type) === type);
  const [last] = lines;
  if (!last) return NO_HABIT;
  const before = lines.find((line) => line.journal_id !== last.journal_id);
  const [own, other] =
    type === 'deposit' ? [last.destination_id, last.source_name] : [last.source_id, last.destination_name];
  // A text that was used once is about that purchase alone.
  const isUsual = before?.journal_description === last.journal_description && last.journal_description !== other;
  return {
    own: String(own),
    category: last.category_name ?? '',
    budget: last.budget_name ?? '',
    tags: last.tags ? last.tags.split(',') : [],
    description: isUsual ? last.journal_description : '',
  };
}
