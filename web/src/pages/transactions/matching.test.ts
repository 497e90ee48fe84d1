import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { countMatching, deleteMatching, followRun } from './matching';

const sent = vi.fn<(url: string, request: RequestInit) => Promise<Response>>();
const answer = (data: unknown): Response => new Response(JSON.stringify({ data }), { status: 200 });
const run = (done: number, finished: boolean): Response =>
  answer({ type: 'matching_runs', id: '7', attributes: { done, finished }, links: {} });

beforeEach(() => (sent.mockReset(), void vi.stubGlobal('fetch', sent)));
afterEach(() => vi.unstubAllGlobals());

it('deletes as many as it counted, without opening balances', async () => {
  sent.mockResolvedValueOnce(answer({ matching: 1200 })).mockResolvedValueOnce(answer({ deleted: 1200 }));
  const count = await countMatching({ account_id: 3 });
  await deleteMatching({ account_id: 3 }, count);
  const queries = sent.mock.calls.map(([url]) => new URL(url).search);
  expect(queries).toEqual(['?type=default&account_id=3', '?type=default&account_id=3&expected=1200']);
});

it('follows a run to its end', async () => {
  sent.mockResolvedValueOnce(run(40, false)).mockResolvedValueOnce(run(90, true));
  const told: number[] = [];
  const last = await followRun('7', ({ done }) => told.push(done), 0);
  expect([told, last.done]).toEqual([[40, 90], 90]);
});
