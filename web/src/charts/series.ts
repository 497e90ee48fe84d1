// What charts show: exact amounts by point. Only positions on the screen are floats.
import type { ExactNumber } from '$/api/exact';
import { daysBetween, monthOf, show as showDay, type Day } from '$/days/days';
import { fromUnits, toPosition, toUnits } from '$/money/money';

export interface Series {
  label: string;
  currency: string;
  decimals: number;
  /** Whole units, one for each point; null where there is none. */
  values: (bigint | null)[];
  /** What has no label is grey; what stands for many is grey, too, but darker. */
  kind?: 'none' | 'other';
  /** The class of its colour, such as `hue-teal`; by default its place decides. */
  colour?: string;
}

const COLOURS = 7;
const OTHER = 6;

/** The class with the colour of a series. */
export function colourOf({ kind, colour }: Pick<Series, 'kind' | 'colour'>, number: number): string {
  if (kind === 'none') return 'data-none';
  return colour ?? `data-${kind === 'other' ? OTHER : number % COLOURS}`;
}

/** Nothing is known of the days to come, so there is no value, instead of a zero. */
export function cutFuture(series: Series[], parts: Part[], today: Day): Series[] {
  const known = parts.filter(({ start }) => start <= today).length || parts.length;
  if (known === parts.length) return series;
  return series.map((one) => ({ ...one, values: one.values.map((value, at) => (at < known ? value : null)) }));
}

export interface Part {
  start: Day;
  end: Day;
}

export const readUnits = (values: ExactNumber[], decimals: number): bigint[] =>
  values.map((value) => toUnits(value, decimals));

/** The position on the axis. Not for showing amounts. */
export const toHeight = (units: bigint, decimals: number): number => toPosition(fromUnits(units, decimals));

/** How many points come before the first that is not zero: before the books begin there is no line. */
export function countUnbooked(series: Series[]): number {
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  for (let at = 0; at < length; at++) if (series.some(({ values }) => values[at])) return at;
  return length;
}

/** The change against the point before; null where one of them is missing. */
export function changeAt({ values }: Series, at: number): bigint | null {
  const [before, now] = [values[at - 1], values[at]];
  return before === null || before === undefined || now === null || now === undefined ? null : now - before;
}

export type Step = 'day' | 'week' | 'month' | 'quarter' | 'year';
const LONGEST: [number, Step][] = [
  [1, 'day'],
  [7, 'week'],
  [31, 'month'],
  [92, 'quarter'],
];

/** What lies between two points. The first and the last part may be shorter. */
export function stepOf(days: Day[]): Step {
  const longest = Math.max(0, ...days.slice(1).map((day, at) => daysBetween(days[at]!, day)));
  return LONGEST.find(([most]) => longest <= most)?.[1] ?? 'year';
}

/** `November 2026`, `2026`, or the first and the last day. */
export function showPart({ start, end }: Part, locale: string, month: 'month' | 'monthShort' = 'month'): string {
  if (start === end) return showDay(start, locale);
  if (start.endsWith('-01-01') && end === `${start.slice(0, 4)}-12-31`) return start.slice(0, 4);
  if (start === monthOf(start).start && end === monthOf(start).end) return showDay(start, locale, month);
  const isOneYear = start.slice(0, 4) === end.slice(0, 4);
  return `${showDay(start, locale, isOneYear ? 'short' : 'medium')} – ${showDay(end, locale)}`;
}
