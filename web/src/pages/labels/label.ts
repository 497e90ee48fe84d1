// Categories, tags and payees in one shape, so that their pages share everything but the requests.
import { get, post, put, read, remove, type Answer } from '$/api/client';
import type { components } from '$/api/schema';
import type { Account, Category, Tag } from '$/api/types';
import { addDays } from '$/days/days';
import type { Period } from '$/days/period';
import { toUnits, type Sum } from '$/money/money';

export const KINDS = ['categories', 'tags', 'payees'] as const;
export type LabelKind = (typeof KINDS)[number];

export interface Label {
  id: string;
  name: string;
  spent: Sum[];
  earned: Sum[];
  /** How many splits have it; unknown for payees. */
  count: number | null;
  parent: string | null;
  budget: string | null;
  /** Only categories have a colour and an icon. */
  colour?: string | null;
  icon?: string | null;
  /** For payees: whether money goes there or comes from there. */
  type: 'expense' | 'revenue' | null;
}

export interface LabelPage {
  labels: Label[];
  /** The ids of those that no transaction has. */
  unused: Set<string>;
  total: number;
}

/** As many as the API gives at once. */
const MOST = 1000;
const TYPES = ['expense', 'revenue'] as const;

type ApiSum = Category['attributes']['spent'][number];
const toSums = (sums: ApiSum[]): Sum[] =>
  sums.map(({ amount, currency_code: code, currency_dp: decimals }) => ({
    code,
    decimals,
    units: toUnits(amount, decimals),
  }));
const toId = (id: number | null): string | null => (id === null ? null : String(id));

export function fromCategory({ id, attributes }: Category): Label {
  const { name, spent, earned, transactions_count: count, parent_id, budget_id, colour, icon } = attributes;
  const [parent, budget] = [toId(parent_id), toId(budget_id)];
  return { id, name, spent: toSums(spent), earned: toSums(earned), count, parent, budget, colour, icon, type: null };
}

export function fromTag({ id, attributes }: Tag): Label {
  const { tag: name, spent, earned, transactions_count: count } = attributes;
  return { id, name, spent: toSums(spent), earned: toSums(earned), count, parent: null, budget: null, type: null };
}

/** What moved on an account between two balances; income is negative in the books. */
export function fromPayee({ id, attributes }: Account, before: bigint, type: 'expense' | 'revenue'): Label {
  const { name, current_balance, currency_code: code, currency_dp: decimals } = attributes;
  const moved = toUnits(current_balance, decimals) - before;
  const sums = (units: bigint): Sum[] => (units ? [{ code, decimals, units }] : []);
  const [spent, earned] = type === 'expense' ? [sums(moved), []] : [[], sums(-moved)];
  return { id, name, spent, earned, count: null, parent: null, budget: null, type };
}

export async function loadLabels(kind: LabelKind, period: Period, signal: AbortSignal): Promise<LabelPage> {
  if (kind === 'payees') return loadPayees(period, signal);
  const options = { query: { ...period, limit: MOST }, signal };
  const unused = { query: { unused: '1' as const, limit: MOST }, signal };
  if (kind === 'categories') {
    const [page, rest] = await Promise.all([get('/api/v1/categories', options), get('/api/v1/categories', unused)]);
    return collect(page.data.map(fromCategory), rest.data, page.meta.pagination.total);
  }
  const [page, rest] = await Promise.all([get('/api/v1/tags', options), get('/api/v1/tags', unused)]);
  return collect(page.data.map(fromTag), rest.data, page.meta.pagination.total);
}

const collect = (labels: Label[], unused: { id: string }[], total: number): LabelPage => ({
  labels,
  unused: new Set(unused.map(({ id }) => id)),
  total,
});

async function loadPayees(period: Period, signal: AbortSignal): Promise<LabelPage> {
  const pages = await Promise.all(TYPES.map((type) => loadPayeesOf(type, period, signal)));
  return {
    labels: pages.flatMap(({ labels }) => labels).sort((one, other) => one.name.localeCompare(other.name)),
    unused: new Set(pages.flatMap(({ unused }) => [...unused])),
    total: pages.reduce((sum, { total }) => sum + total, 0),
  };
}

async function loadPayeesOf(
  type: 'expense' | 'revenue',
  { start, end }: Period,
  signal: AbortSignal,
): Promise<LabelPage> {
  const ask = (more: object) => get('/api/v1/accounts', { query: { type, limit: MOST, ...more }, signal });
  const [after, before, unused] = await Promise.all([
    ask({ date: end }),
    ask({ date: addDays(start, -1) }),
    ask({ unused: '1' }),
  ]);
  const earlier = new Map(
    before.data.map(({ id, attributes }) => [id, toUnits(attributes.current_balance, attributes.currency_dp)]),
  );
  const labels = after.data.map((one) => fromPayee(one, earlier.get(one.id) ?? 0n, type));
  return collect(labels, unused.data, after.meta.pagination.total);
}

export async function loadLabel(kind: LabelKind, id: string, signal: AbortSignal): Promise<Label> {
  const options = { path: { id }, signal };
  if (kind === 'categories') return fromCategory((await get('/api/v1/categories/{id}', options)).data);
  if (kind === 'tags') return fromTag((await get('/api/v1/tags/{id}', options)).data);
  const [account, { data }] = await Promise.all([
    get('/api/v1/accounts/{id}', options),
    get('/api/v1/accounts/{id}/dependents', options),
  ]);
  const type = account.data.attributes.type === 'Revenue account' ? 'revenue' : 'expense';
  return { ...fromPayee(account.data, 0n, type), count: data.transactions };
}

export async function loadMonths(kind: LabelKind, id: string, period: Period, signal: AbortSignal) {
  const options = { path: { id }, query: { ...period }, signal };
  if (kind === 'categories') return (await get('/api/v1/categories/{id}/months', options)).data;
  if (kind === 'tags') return (await get('/api/v1/tags/{id}/months', options)).data;
  return (await get('/api/v1/accounts/{id}/months', options)).data;
}

export interface LabelValues {
  name: string;
  parent_id: string;
  budget_id: string;
  colour: string;
  icon: string;
}

export function valuesOf(label: Label | null): LabelValues {
  return {
    name: label?.name ?? '',
    parent_id: label?.parent ?? '',
    budget_id: label?.budget ?? '',
    colour: label?.colour ?? '',
    icon: label?.icon ?? '',
  };
}

export async function readLabel(
  kind: 'categories' | 'tags',
  id: string,
): Promise<{ label: Label; etag: string | null }> {
  if (kind === 'categories') {
    const { data, etag } = await read('/api/v1/categories/{id}', { path: { id } });
    return { label: fromCategory(data.data), etag };
  }
  const { data, etag } = await read('/api/v1/tags/{id}', { path: { id } });
  return { label: fromTag(data.data), etag };
}

type CategoryBody = components['schemas']['CategoryBody'];
type Colour = NonNullable<CategoryBody['colour']>;
type IconWord = NonNullable<CategoryBody['icon']>;
/** The words come from lists that are the same as those of the API. */
const toLook = <T extends string>(word: string): T | null => (word ? (word as T) : null);

/** Payees are edited on the page of their account. */
export async function saveLabel(
  kind: 'categories' | 'tags',
  id: string | null,
  values: LabelValues,
  match: string | null,
) {
  if (kind === 'categories') {
    const toNumber = (given: string): number | null => (given ? Number(given) : null);
    const body = {
      name: values.name,
      parent_id: toNumber(values.parent_id),
      budget_id: toNumber(values.budget_id),
      colour: toLook<Colour>(values.colour),
      icon: toLook<IconWord>(values.icon),
    };
    return id ? put('/api/v1/categories/{id}', body, { path: { id }, match }) : post('/api/v1/categories', body);
  }
  if (!id) return post('/api/v1/tags', { tag: values.name });
  // A change of a tag blanks what it leaves out.
  const { date, description, latitude, longitude, zoom_level } = (await get('/api/v1/tags/{id}', { path: { id } })).data
    .attributes;
  const kept = { date, description, latitude, longitude, zoom_level };
  return put('/api/v1/tags/{id}', { ...kept, tag: values.name }, { path: { id }, match });
}

export function removeLabel(kind: 'categories' | 'tags', id: string): Promise<Answer<unknown>> {
  return kind === 'categories'
    ? remove('/api/v1/categories/{id}', { path: { id } })
    : remove('/api/v1/tags/{id}', { path: { id } });
}

export function mergeLabel(kind: LabelKind, id: string, into: string): Promise<Answer<unknown>> {
  const [body, options] = [{ into_id: Number(into) }, { path: { id } }];
  if (kind === 'categories') return post('/api/v1/categories/{id}/merge', body, options);
  if (kind === 'tags') return post('/api/v1/tags/{id}/merge', body, options);
  return post('/api/v1/accounts/{id}/merge', body, options);
}

/** The filter of the list of transactions. */
export const FILTERS = { categories: 'category_id', tags: 'tag_id', payees: 'account_id' } as const;

/** Parents first, each followed by its children; a child without its parent stands alone. */
export function nest(labels: Label[]): { label: Label; isChild: boolean }[] {
  const here = new Set(labels.map(({ id }) => id));
  const isChild = ({ parent }: Label): boolean => parent !== null && here.has(parent);
  return labels
    .filter((label) => !isChild(label))
    .flatMap((label) => [
      { label, isChild: false },
      ...labels.filter((one) => one.parent === label.id).map((one) => ({ label: one, isChild: true })),
    ]);
}

/** By name, ignoring case. A parent stays with a child that was found. */
export function findByName(labels: Label[], typed: string): Label[] {
  const wanted = typed.trim().toLowerCase();
  if (!wanted) return labels;
  const found = labels.filter(({ name }) => name.toLowerCase().includes(wanted));
  const parents = new Set(found.map(({ parent }) => parent));
  return labels.filter((label) => found.includes(label) || parents.has(label.id));
}
