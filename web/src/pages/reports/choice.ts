// What a report is about, kept in the address: the days, how they are divided, and the filters of the list.
import { addDays, addMonths, daysBetween, monthOf, type Day } from '$/days/days';
import { yearOf, type Period, type View } from '$/days/period';
import { isDay } from '$/days/ranges';
import { router } from '$/shell/router.svelte';
import { NAMES, parseFilters, type Filters } from '../transactions/filters';

export const REPORTS = ['spending', 'income', 'worth', 'flow', 'budgets'] as const;
export type Report = (typeof REPORTS)[number];
export const DIMENSIONS = ['category', 'payee', 'tag', 'account', 'budget'] as const;
export type Dimension = (typeof DIMENSIONS)[number];
export const STEPS = ['week', 'month', 'quarter', 'year'] as const;
export type Step = (typeof STEPS)[number];
export const PRESETS = ['month', 'last-month', '3m', '6m', '12m', 'year', 'last-year', '5y'] as const;
export type Preset = (typeof PRESETS)[number];
/** How the cash flow names its two sides, and what the net worth is made of. */
export const SOURCES = ['category', 'payee'] as const;
export const USES = ['category', 'payee', 'budget'] as const;
export const GROUPINGS = ['accounts', 'kinds'] as const;
export const DIRECTIONS = ['spent', 'earned'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export interface Choice extends Period {
  /** Null when the user chose the days. */
  preset: Preset | null;
  step: Step;
  by: Dimension;
  direction: Direction;
  /** Sub-categories are added to their parents. */
  isFolded: boolean;
  /** All currencies in the primary one. */
  isConverted: boolean;
  sources: (typeof SOURCES)[number];
  uses: (typeof USES)[number];
  grouping: (typeof GROUPINGS)[number];
  filters: Filters;
}

const USUAL: Preset = '6m';
/** The API divides at most this many days into weeks. */
const WEEKS_MAX = 400;

export function parseChoice(query: URLSearchParams, today: Day, view: View): Choice {
  const days = parseDays(query, today, view);
  const asked = oneOf(STEPS, query.get('period'));
  const isTooLong = asked === 'week' && daysBetween(days.start, days.end) >= WEEKS_MAX;
  return {
    ...days,
    step: asked && !isTooLong ? asked : usualStep(days),
    by: oneOf(DIMENSIONS, query.get('by')) ?? 'category',
    direction: oneOf(DIRECTIONS, query.get('type')) ?? 'spent',
    isFolded: query.get('children') !== 'apart',
    isConverted: query.get('convert') === '1',
    sources: oneOf(SOURCES, query.get('sources')) ?? 'category',
    uses: oneOf(USES, query.get('uses')) ?? 'category',
    grouping: oneOf(GROUPINGS, query.get('grouping')) ?? 'accounts',
    filters: filtersIn(query),
  };
}

function parseDays(query: URLSearchParams, today: Day, view: View): Period & { preset: Preset | null } {
  const [start, end] = [query.get('start'), query.get('end')];
  if (isDay(start) && isDay(end) && start <= end) return { preset: null, start, end };
  const preset = oneOf(PRESETS, query.get('range')) ?? USUAL;
  return { preset, ...daysOf(preset, today, view) };
}

/** Months are whole ones, up to the current one. */
export function daysOf(preset: Preset, today: Day, view: View): Period {
  const month = monthOf(today);
  if (preset === 'last-month') return monthOf(addMonths(month.start, -1));
  if (preset === 'year') return yearOf(today, view.newYear);
  if (preset === 'last-year') return yearOf(addDays(yearOf(today, view.newYear).start, -1), view.newYear);
  const months = { month: 1, '3m': 3, '6m': 6, '12m': 12, '5y': 60 }[preset];
  return { start: addMonths(month.start, 1 - months), end: month.end };
}

/** A dozen parts or two are easy to read. */
function usualStep({ start, end }: Period): Step {
  const days = daysBetween(start, end) + 1;
  if (days <= 70) return 'week';
  if (days <= 750) return 'month';
  return days <= 2200 ? 'quarter' : 'year';
}

/** The filters of the list but days, type and folding, which reports have of their own. */
export const FILTER_NAMES = NAMES.filter((name) => !['start', 'end', 'type', 'children'].includes(name));

function filtersIn(query: URLSearchParams): Filters {
  const found = parseFilters(query);
  return Object.fromEntries(FILTER_NAMES.flatMap((name) => (found[name] ? [[name, found[name]]] : [])));
}

function oneOf<T extends string>(known: readonly T[], given: string | null): T | null {
  return known.find((one) => one === given) ?? null;
}

/** Changes a part of the address, and with it the report. */
export function refine(changes: Record<string, string | null>): void {
  router.refine({ ...Object.fromEntries(router.address.query), ...changes });
}
