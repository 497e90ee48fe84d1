// Loads one transaction with everything related to it.
import { get, type Options } from '$/api/client';
import type { ExactNumber } from '$/api/exact';
import { wholes, type Whole } from './grouped';

export interface Moved {
  id: string;
  name: string;
  amount: ExactNumber;
  currency: string;
  decimals: number;
}

export interface Known {
  whole: Whole;
  tags: { id: string; name: string }[];
  recurrence: { id: number; title: string } | null;
  piggyBank: Moved | null;
}

type Signal = Pick<Options<string, never>, 'signal'>;

/** One request for the transaction, and one for each thing it is tied to: most are tied to nothing. */
export async function known(id: string, { signal }: Signal): Promise<Known> {
  const [answer, moved] = await Promise.all([
    get('/api/v1/transactions/{id}', { path: { id }, query: { include: ['tags'] }, signal }),
    get('/api/v1/transactions/{id}/piggy_bank_events', { path: { id }, signal }),
  ]);
  const [whole] = wholes(answer.data);
  const tags = (answer.included ?? [])
    .filter(({ type }) => type === 'tags')
    .map((tag) => ({ id: tag.id, name: String((tag.attributes as { tag?: unknown }).tag) }));
  const event = moved.data[0]?.attributes;
  const [recurrence, piggyBank] = await Promise.all([
    titleOf(whole!.lines[0]!.attributes.recurrence_id, { signal }),
    event ? movedIn(String(event.piggy_bank_id), event, { signal }) : null,
  ]);
  return { whole: whole!, tags, recurrence, piggyBank };
}

async function titleOf(id: number | null, { signal }: Signal): Promise<Known['recurrence']> {
  if (id === null) return null;
  const { data } = await get('/api/v1/recurrences/{id}', { path: { id }, signal });
  return { id, title: data.attributes.title };
}

async function movedIn(
  id: string,
  event: { amount: ExactNumber; currency_code: string; currency_dp: number },
  { signal }: Signal,
): Promise<Moved> {
  const { data } = await get('/api/v1/piggy_banks/{id}', { path: { id }, signal });
  return {
    id,
    name: data.attributes.name,
    amount: event.amount,
    currency: event.currency_code,
    decimals: event.currency_dp,
  };
}
