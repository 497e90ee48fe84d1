// How many transactions wait in the inbox, for the badge in the menu; and for what reasons they are listed there.
import { get } from '$/api/client';
import { recall, remember } from '$/session/remembered';

const BUDGET = 'inbox-budget';

class InboxSettings {
  #withBudget: boolean | null = $state(null);

  /** Transactions without a budget wait only if the user wants that. The device remembers it. */
  get withBudget(): boolean {
    return this.#withBudget ?? recall(BUDGET) === '1';
  }

  set withBudget(wanted: boolean) {
    this.#withBudget = wanted;
    remember(BUDGET, wanted ? '1' : '0');
  }

  get reasons(): string {
    return this.withBudget ? 'without_category,imported,without_budget' : 'without_category,imported';
  }
}

export const inboxSettings = new InboxSettings();

export interface WaitingCount {
  count: number;
  more: boolean;
}

export async function countWaiting(reasons: string, signal: AbortSignal): Promise<WaitingCount> {
  const { meta } = await get('/api/v1/inbox', { query: { reasons, counts_only: '1' }, signal });
  return { count: meta.waiting, more: meta.more };
}
