// Loads what a filtered list adds up to.
import { get } from '$/api/client';
import type { ExactNumber } from '$/api/exact';
import { hasWords } from '$/api/search';
import type { Day } from '$/days/days';
import { toQuery, type Filters } from './filters';

export interface ListSum {
  code: string;
  decimals: number;
  earned: ExactNumber;
  spent: ExactNumber;
  /** What transfers brought to the account of the list, or took from it; null in other lists. */
  moved: ExactNumber | null;
  net: ExactNumber;
}

export interface ListTotals {
  count: number;
  sums: ListSum[];
}

export async function loadTotals(filters: Filters, today: Day, signal: AbortSignal): Promise<ListTotals> {
  const query = toQuery(filters, today);
  if (!hasWords(query.query)) return { count: 0, sums: [] };
  const { data, meta } = await get('/api/v1/reports/totals', { query, signal });
  return {
    count: meta.transactions ?? meta.splits,
    sums: data.map((sum) => ({
      code: sum.currency_code,
      decimals: sum.currency_dp,
      earned: sum.in,
      spent: sum.out,
      moved: sum.moved ?? null,
      net: sum.net,
    })),
  };
}
