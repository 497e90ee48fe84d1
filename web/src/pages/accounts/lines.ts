// The groups of accounts, and the line of each account over the last months.
import { get } from '$/api/client';
import type { AccountGroups } from '$/api/types';
import { addMonths } from '$/days/days';
import { session } from '$/session/session.svelte';

const MOST_LINES = 100;
const MONTHS_SHOWN = 6;

export const loadGroups = (isConverted: boolean, signal?: AbortSignal): Promise<AccountGroups> =>
  get('/api/v1/accounts/groups', { query: { convert: isConverted ? '1' : undefined }, signal });

export function loadLines({ data }: Pick<AccountGroups, 'data'>, signal?: AbortSignal) {
  const ids = data.flatMap(({ accounts }) => accounts.filter(({ active }) => active).map(({ id }) => id));
  if (!ids.length) return Promise.resolve([]);
  const { today } = session;
  const query = {
    ids: ids.slice(0, MOST_LINES).join(','),
    start: addMonths(today, -MONTHS_SHOWN),
    end: today,
    period: 'week' as const,
  };
  return get('/api/v1/chart/account/overview', { query, signal });
}
