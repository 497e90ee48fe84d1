// The last twelve months of all categories, tags or payees, for the small charts of their list.
import { get } from '$/api/client';
import type { components } from '$/api/schema';
import type { ExactNumber } from '$/api/exact';
import { addMonths as monthsLater, monthOf, type Day } from '$/days/days';
import { toPosition } from '$/money/money';
import type { LabelKind } from './label';

type Row = components['schemas']['BreakdownReport']['data'][number];

const MONTHS = 12;
/** With twelve months each, the report has no room for more. */
const MOST = 800;
const DIMENSIONS = { categories: 'category', tags: 'tag', payees: 'payee' } as const;

/** By id: what was spent, or else what was earned, in each month up to the current one. */
export type RecentMonths = Map<string, ExactNumber[]>;

/** The months of a label and of its sub-categories, as heights of bars. */
export function addMonths(recent: RecentMonths, ids: string[]): number[] | null {
  const all = ids.flatMap((id) => (recent.has(id) ? [recent.get(id)!] : []));
  const [first] = all;
  return first ? first.map((_, at) => all.reduce((sum, months) => sum + toPosition(months[at] ?? 0), 0)) : null;
}

/** Two reports for the whole list: one for what was spent, one for what was earned. */
export async function loadRecent(kind: LabelKind, today: Day, signal: AbortSignal): Promise<RecentMonths> {
  const { start, end } = monthOf(today);
  const query = {
    by: DIMENSIONS[kind],
    period: 'month' as const,
    start: monthsLater(start, 1 - MONTHS),
    end,
    limit: MOST,
  };
  const [spent, earned] = await Promise.all(
    (['spent', 'earned'] as const).map((type) =>
      get('/api/v1/reports/breakdown', { query: { ...query, type }, signal }),
    ),
  );
  return collectMonths([...earned!.data, ...spent!.data]);
}

/** In the currency that comes first, which is the user's own if there is one; a later row of the same label counts. */
export function collectMonths(rows: Row[]): RecentMonths {
  const idsOf = ({ id, account_ids }: Row): (string | number)[] => account_ids ?? (id === null ? [] : [id]);
  return new Map(
    rows
      .filter(({ amounts }) => amounts.length)
      .flatMap((row) => idsOf(row).map((id) => [String(id), row.amounts[0]!.parts] as const)),
  );
}
