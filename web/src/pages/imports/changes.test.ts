import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refused } from '$/api/client';
import type { ImportJob, ImportJobBody } from '$/api/types';
import { JobChanges } from './changes.svelte';

const job = {} as ImportJob;
let sent: ImportJobBody[] = [];

beforeEach(() => {
  sent = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

test('changes in quick succession are sent together', async () => {
  const changes = new JobChanges(
    (body) => (sent.push(body), Promise.resolve(job)),
    () => {},
  );

  changes.change({ account_id: 1, options: { partial: true } });
  changes.change({ account_id: 2, options: { link: 'sure' } });
  await vi.runAllTimersAsync();

  expect(sent).toEqual([{ account_id: 2, options: { partial: true, link: 'sure' } }]);
  expect([changes.unsent, changes.busy]).toEqual([{}, false]);
});

test('what is refused stays, and goes with the next change', async () => {
  const refusal = new Refused(422, '', { 'mapping.columns.amount': ['Choose it.'] }, 0, null);
  const changes = new JobChanges(
    (body) => (sent.push(body), sent.length > 1 ? Promise.resolve(job) : Promise.reject(refusal)),
    () => {},
  );

  changes.change({ mapping: { columns: {} } });
  await vi.runAllTimersAsync();
  expect(changes.errors).toEqual({ 'mapping.columns.amount': ['Choose it.'] });
  changes.change({ account_id: 1 });
  await vi.runAllTimersAsync();

  expect(sent[1]).toEqual({ mapping: { columns: {} }, account_id: 1 });
  expect(changes.errors).toEqual({});
});

test('whoever runs the import waits until everything is stored', async () => {
  const changes = new JobChanges(
    (body) => (sent.push(body), new Promise((resolve) => setTimeout(() => resolve(job), 50))),
    () => {},
  );

  expect(await changes.flush()).toBe(true);
  changes.change({ account_id: 1 });
  await vi.advanceTimersByTimeAsync(310);
  const stored = changes.flush();
  await vi.runAllTimersAsync();

  expect([await stored, await changes.flush(), sent.length]).toEqual([true, true, 1]);
});

test('what changes while a request runs is sent after it', async () => {
  const waiting: (() => void)[] = [];
  const changes = new JobChanges(
    (body) => (sent.push(body), new Promise((resolve) => waiting.push(() => resolve(job)))),
    () => {},
  );

  changes.change({ account_id: 1 });
  await vi.advanceTimersByTimeAsync(400);
  changes.change({ format: 'csv' });
  await vi.advanceTimersByTimeAsync(400);
  expect(sent).toHaveLength(1);
  waiting[0]!();
  await vi.advanceTimersByTimeAsync(0);
  waiting[1]!();
  await vi.runAllTimersAsync();

  expect(sent[1]).toEqual({ account_id: 1, format: 'csv' });
  expect(changes.unsent).toEqual({});
});
