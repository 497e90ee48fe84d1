// Loads one transaction with everything related to it.
import { get, type Options } from '$/api/client';
import type { ExactNumber } from '$/api/exact';
import { groupSplits, type SplitGroup } from './group';

export interface PiggyBankMove {
  id: string;
  name: string;
  amount: ExactNumber;
  currency: string;
  decimals: number;
}

export interface TransactionDetails {
  group: SplitGroup;
  tags: { id: string; name: string }[];
  recurrence: { id: number; title: string } | null;
  piggyBank: PiggyBankMove | null;
}

type Signal = Pick<Options<string, never>, 'signal'>;

/** Most transactions need only two requests; a recurrence or a piggy bank costs one more each. */
export async function loadDetails(id: string, { signal }: Signal): Promise<TransactionDetails> {
  const [answer, moved] = await Promise.all([
    get('/api/v1/transactions/{id}', { path: { id }, query: { include: ['tags'] }, signal }),
    get('/api/v1/transactions/{id}/piggy_bank_events', { path: { id }, signal }),
  ]);
  const [group] = groupSplits(answer.data);
  const tags = (answer.included ?? [])
    .filter(({ type }) => type === 'tags')
    .map((tag) => ({ id: tag.id, name: String((tag.attributes as { tag?: unknown }).tag) }));
  const event = moved.data[0]?.attributes;
  const [recurrence, piggyBank] = await Promise.all([
    loadRecurrence(group!.lines[0]!.attributes.recurrence_id, { signal }),
    event ? loadMove(String(event.piggy_bank_id), event, { signal }) : null,
  ]);
  return { group: group!, tags, recurrence, piggyBank };
}

async function loadRecurrence(id: number | null, { signal }: Signal): Promise<TransactionDetails['recurrence']> {
  if (id === null) return null;
  const { data } = await get('/api/v1/recurrences/{id}', { path: { id }, signal });
  return { id, title: data.attributes.title };
}

async function loadMove(
  id: string,
  event: { amount: ExactNumber; currency_code: string; currency_dp: number },
  { signal }: Signal,
): Promise<PiggyBankMove> {
  const { data } = await get('/api/v1/piggy_banks/{id}', { path: { id }, signal });
  return {
    id,
    name: data.attributes.name,
    amount: event.amount,
    currency: event.currency_code,
    decimals: event.currency_dp,
  };
}
