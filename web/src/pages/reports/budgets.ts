// Figures of the report on budgets.
import type { components } from '$/api/schema';
import { toUnits, type Currency } from '$/money/money';

export type BudgetsReport = components['schemas']['BudgetsReport'];
type Amounts = BudgetsReport['data'][number]['amounts'][number];

/** The currencies of all rows, in the order of the report. */
export function currenciesOf(report: BudgetsReport): Currency[] {
  const found = new Map<string, Currency>();
  for (const { amounts } of report.data)
    for (const { currency_code: code, currency_dp: decimals } of amounts) found.set(code, { code, decimals });
  return [...found.values()];
}

type Row = BudgetsReport['data'][number];

/** The sum of all budgets in each part, without what was spent outside of them. */
export function sumParts(
  rows: { row: Pick<Row, 'row'>; amounts: Amounts }[],
  decimals: number,
  name: 'limit' | 'spent',
): bigint[] {
  const length = rows[0]?.amounts.parts.length ?? 0;
  const budgets = rows.filter(({ row }) => row.row !== 'none');
  return Array.from({ length }, (_, at) =>
    budgets.reduce((sum, { amounts }) => sum + toUnits(amounts.parts[at]?.[name] ?? '0', decimals), 0n),
  );
}
