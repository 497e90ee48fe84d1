// The rows of a breakdown in one currency, and the lines of its chart.
import type { components } from '$/api/schema';
import type { Part, Series } from '$/charts/series';
import type { Day } from '$/days/days';
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
  payee: 'payee_id',
  account: 'account_id',
  budget: 'budget_id',
} as const;

/** The filters of a list with the sum of the row. Null where no list has just these transactions. */
export function filtersOf(
  row: Pick<Row, 'row' | 'id'>,
  { by, direction, isFolded, filters, start, end }: Choice,
): Filters | null {
  const name = FILTERS[by];
  const all = { ...filters, flow: direction, start, end };
  if (row.row === 'none' && (by === 'category' || by === 'budget')) return { ...all, [`no_${by}`]: '1' };
  if (row.row !== 'label' || !row.id) return null;
  // A parent has only what the filter lets pass: its own sum if the filter is about the parent, else that of a child.
  if (by === 'category' && isFolded && filters.category_id) return all;
  if (by !== 'category' && filters[name] && filters[name] !== String(row.id)) return null;
  return { ...all, [name]: String(row.id), ...(by === 'category' && !isFolded && { children: 'apart' }) };
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

/** The largest rows, the sum of the others, and what has no label, so that the lines add up. */
export function toSeries(rows: ShownRow[], most: number, other: (count: number) => string): Series[] {
  const labelled = rows.filter(({ row }) => row.row !== 'none');
  const none = rows.filter(({ row }) => row.row === 'none').map((row) => toLine(row, row.name, row.parts, 'none'));
  const shown = labelled.length > most ? labelled.slice(0, most - 1) : labelled;
  const rest = labelled.slice(shown.length);
  const lines = shown.map((row) =>
    toLine(row, row.name, row.parts, row.row.row === 'other' ? 'other' : undefined, row.row.colour),
  );
  const [first] = rest;
  if (!first) return [...lines, ...none];
  const count = rest.reduce((sum, row) => sum + row.count, 0);
  const sums = first.parts.map((_, at) => rest.reduce((sum, { parts }) => sum + (parts[at] ?? 0n), 0n));
  return [...lines, toLine(first, other(count), sums, 'other'), ...none];
}

const toLine = (
  { code: currency, decimals }: ShownRow,
  label: string,
  values: bigint[],
  kind?: 'none' | 'other',
  hue?: string | null,
): Series => ({ label, currency, decimals, values, ...(kind && { kind }), ...(hue && { colour: `hue-${hue}` }) });

type Meta = Pick<Breakdown['meta'], 'parts' | 'start' | 'end'>;

/** Which parts the average is of, and which part the trend compares with which others. */
export function basisOf({ parts }: Meta): { average: Part; trend: { last: Part; before: Part } | null } {
  const averaged = parts.filter((part) => part.averaged);
  const complete = parts.filter((part) => part.complete);
  const last = complete.at(-1);
  const join = (many: Part[]): Part => ({ start: many[0]!.start, end: many.at(-1)!.end });
  return {
    average: join(averaged.length ? averaged : parts),
    trend: last && complete.length > 1 ? { last, before: join(complete.slice(0, -1)) } : null,
  };
}

/** A period that is running is compared with as many days of another. */
export const isRunning = ({ start, end }: Meta, today: Day): boolean => start <= today && today < end;

/** In percent, rounded to tenths; null where it means nothing. */
export function shareOf(part: bigint, whole: bigint): number | null {
  return whole > 0n && part >= 0n ? Number((part * 2000n + whole) / (2n * whole)) / 10 : null;
}
