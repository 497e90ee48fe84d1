// The rows of a breakdown in one currency, and the lines of its chart.
import type { components } from '$/api/schema';
import type { Series } from '$/charts/series';
import { toUnits } from '$/money/money';
import type { Filters } from '../transactions/filters';
import type { Choice } from './choice';

export type Breakdown = components['schemas']['BreakdownReport'];
type Row = Breakdown['data'][number];
type Amounts = Row['amounts'][number];

export interface Change {
  total: bigint;
  percent: string | null;
}
export interface Figures {
  code: string;
  decimals: number;
  parts: bigint[];
  total: bigint;
  average: bigint;
  trend: string | null;
  before: Change | null;
  yearAgo: Change | null;
}
export interface ShownRow extends Figures {
  row: Row;
  /** How many rows it stands for. */
  count: number;
  name: string;
}

const FILTERS = {
  category: 'category_id',
  tag: 'tag_id',
  payee: 'account_id',
  account: 'account_id',
  budget: 'budget_id',
} as const;

/** The filters of a row's transactions. Null for rows that stand for several, or for what has no label. */
export function filtersOf(row: Row, choice: Choice): Filters | null {
  const id = choice.by === 'payee' ? row.account_ids?.[0] : row.id;
  if (row.row !== 'label' || !id || (row.account_ids?.length ?? 0) > 1) return null;
  const type = choice.direction === 'spent' ? 'withdrawal' : 'deposit';
  const { start, end } = choice;
  const children = choice.by === 'category' && choice.isFolded ? { children: 'fold' } : {};
  return { ...choice.filters, [FILTERS[choice.by]]: String(id), ...children, type, start, end };
}

export function readFigures(amounts: Amounts): Figures {
  const { currency_code: code, currency_dp: decimals } = amounts;
  const units = (value: Amounts['total']): bigint => toUnits(value, decimals);
  const change = (name: 'before' | 'year_ago'): Change | null => {
    const found = amounts.compared?.[name];
    return found ? { total: units(found.total), percent: percentText(found.change_percent) } : null;
  };
  return {
    code,
    decimals,
    parts: amounts.parts.map(units),
    total: units(amounts.total),
    average: units(amounts.average),
    trend: percentText(amounts.trend),
    before: change('before'),
    yearAgo: change('year_ago'),
  };
}

const percentText = (given: Amounts['trend']): string | null =>
  given === null || given === undefined ? null : String(given);

/** The rows that have something in this currency: the largest first, then all others, then what has no label. */
export function rowsIn(report: Breakdown, code: string, nameOf: (row: Row, count: number) => string): ShownRow[] {
  const rows = report.data.flatMap((row) => {
    const amounts = row.amounts.find(({ currency_code }) => currency_code === code);
    const count = amounts?.rows ?? 1;
    return amounts ? [{ row, count, name: nameOf(row, count), ...readFigures(amounts) }] : [];
  });
  const labels = rows.filter(({ row }) => row.row === 'label');
  labels.sort((one, other) => Number(other.total > one.total) - Number(other.total < one.total));
  return [...labels, ...rows.filter(({ row }) => row.row !== 'label')];
}

/** The largest rows, and the sum of the others as one line, so that the lines add up. */
export function toSeries(rows: ShownRow[], most: number, other: (count: number) => string): Series[] {
  const shown = rows.length > most ? rows.slice(0, most - 1) : rows;
  const rest = rows.slice(shown.length);
  const lines: Series[] = shown.map(({ row, name, code, decimals, parts }) => ({
    label: name,
    currency: code,
    decimals,
    values: parts,
    ...(row.colour && { colour: `hue-${row.colour}` }),
  }));
  const [first] = rest;
  if (!first) return lines;
  const count = rest.reduce((sum, row) => sum + row.count, 0);
  const sums = first.parts.map((_, at) => rest.reduce((sum, { parts }) => sum + (parts[at] ?? 0n), 0n));
  return [...lines, { label: other(count), currency: first.code, decimals: first.decimals, values: sums }];
}

/** In percent, rounded to tenths; null where it means nothing. */
export function shareOf(part: bigint, whole: bigint): number | null {
  return whole > 0n && part >= 0n ? Number((part * 2000n + whole) / (2n * whole)) / 10 : null;
}
