// Counts, deletes and follows what is done with all transactions that match the filters.
import { get, remove, type Answer } from '$/api/client';
import type { components } from '$/api/schema';

export type MatchQuery = Record<string, string | number>;
export type Run = components['schemas']['MatchingRunAttributes'];
const POLL_MS = 1000;

/** Opening balances and reconciliations belong to their accounts, so they are not deleted with the rest. */
function everyday(query: MatchQuery): MatchQuery {
  return { type: 'default', ...query };
}

export async function countMatching(query: MatchQuery): Promise<number> {
  return (await get('/api/v1/transactions/matching', { query: everyday(query) })).data.matching;
}

type Deleted = components['schemas']['DeletedMatchesItem'];

export async function deleteMatching(query: MatchQuery, expected: number): Promise<Answer<Deleted>> {
  const answer = await remove('/api/v1/transactions/matching', { query: { ...everyday(query), expected } });
  return answer as Answer<Deleted>;
}

/** Asks for the progress of a run until it has ended; `tell` hears of each step. */
export async function followRun(id: string, tell: (run: Run) => void, wait: number = POLL_MS): Promise<Run> {
  for (;;) {
    const run = (await get('/api/v1/transactions/matching/{id}', { path: { id: Number(id) } })).data.attributes;
    tell(run);
    if (run.finished) return run;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
