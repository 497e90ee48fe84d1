// The filters in the address, under the API's names.
import { addMonths, type Day } from '$/days/days';
import { parseAmount } from '$/money/parse';

export const NAMES = [
  'query',
  'type',
  'start',
  'end',
  'account_id',
  'payee_id',
  'category_id',
  'children',
  'budget_id',
  'tag_id',
  'bill_id',
  'no_category',
  'no_budget',
  'flow',
  'amount_min',
  'amount_max',
] as const;
export type FilterName = (typeof NAMES)[number];
export type Filters = Partial<Record<FilterName, string>>;

/** The longest range that the API takes. */
export const MONTHS_MAX = 239;
/** Transactions may be recorded this far ahead. */
const MONTHS_AHEAD = 12;

export function parseFilters(query: URLSearchParams): Filters {
  const found: Filters = {};
  for (const name of NAMES) {
    const value = query.get(name)?.trim();
    if (value && isPossible(name, value)) found[name] = value;
  }
  if (!found.category_id) delete found.children;
  return found;
}

/** An address may be typed by hand: values that cannot be a day or an id are ignored. */
function isPossible(name: FilterName, value: string): boolean {
  if (name.endsWith('_id')) return /^\d{1,18}$/.test(value);
  if (name.startsWith('no_')) return value === '1';
  // A category includes its sub-categories unless the address says otherwise.
  if (name === 'children') return value === 'apart';
  if (name === 'flow') return value === 'spent' || value === 'earned';
  if (name !== 'start' && name !== 'end') return true;
  return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}

const later = (one: Day, other: Day): Day => (one > other ? one : other);

/** The API needs both days or none. A missing day is set as far away as the API allows, in favour of the newest transactions. */
export function range({ start, end }: Filters, today: Day): { start?: Day; end?: Day } {
  if (!start && !end) return {};
  const last = end ?? later(addMonths(start!, MONTHS_MAX), addMonths(today, MONTHS_AHEAD));
  return { start: later(start ?? '', addMonths(last, -MONTHS_MAX)), end: last };
}

const PLAIN: readonly FilterName[] = ['type', 'start', 'end', 'account_id'];

/** The plain list and that of an account filter by type and days and have an exact total. Every other filter needs a search. */
export function isSearch(filters: Filters): boolean {
  return NAMES.some((name) => filters[name] && !PLAIN.includes(name));
}

/** How many filters are set, without the words. Sub-categories belong to the filter by category. */
export function countFilters(filters: Filters): number {
  return NAMES.filter((name) => name !== 'query' && name !== 'children' && filters[name]).length;
}

export function isUnfiltered(filters: Filters): boolean {
  return NAMES.every((name) => !filters[name]);
}

/** Filters compare amounts to the cent. */
export const DECIMALS = 2;

/** The query for the API. Amounts may be typed in any notation; ids are numbers. */
export function toQuery(filters: Filters, today: Day): Record<string, string | number> {
  const wanted: Record<string, string | number> = {};
  for (const name of NAMES) {
    const value = filters[name];
    if (!value || name === 'start' || name === 'end' || name === 'children') continue;
    if (name.endsWith('_id')) wanted[name] = Number(value);
    else if (name.startsWith('amount')) wanted[name] = parseAmount(value, DECIMALS) ?? value;
    else wanted[name] = value;
  }
  if (filters.category_id && !filters.children) wanted.children = 'fold';
  return { ...wanted, ...range(filters, today) };
}
