// Categories, tags and payees in one shape, so that their pages share everything but the requests.
import { get, post, put, read, remove, type Answer } from '$/api/client';
import type { components } from '$/api/schema';
import type { Account, Category, Tag } from '$/api/types';
import { addDays, type Day } from '$/days/days';
import { groupBy } from '$/days/group';
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
  /** For payees: the accounts to which money goes and from which it comes. */
  accounts: PayeeAccount[];
  /** ISO instant; what was just made is not hidden. */
  created: string;
}

export interface PayeeAccount {
  id: string;
  type: 'expense' | 'revenue';
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
  const sums = { spent: toSums(spent), earned: toSums(earned) };
  return { id, name, ...sums, count, parent, budget, colour, icon, accounts: [], created: attributes.created_at };
}

export function fromTag({ id, attributes }: Tag): Label {
  const { tag: name, spent, earned, transactions_count: count, created_at: created } = attributes;
  const sums = { spent: toSums(spent), earned: toSums(earned) };
  return { id, name, ...sums, count, parent: null, budget: null, accounts: [], created };
}

const typeOf = ({ attributes }: Account): PayeeAccount['type'] =>
  attributes.type === 'Revenue account' ? 'revenue' : 'expense';

/** One payee of all its accounts, which have the same name: a shop that also gives money back. */
export function fromAccounts(accounts: Account[]): Label {
  const [first] = accounts.toSorted((one, other) => Number(one.id) - Number(other.id));
  const { name, created_at: created } = first!.attributes;
  const of = accounts.map((account) => ({ id: account.id, type: typeOf(account) }));
  return { id: first!.id, name, spent: [], earned: [], count: null, parent: null, budget: null, accounts: of, created };
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
  const ask = (type: PayeeAccount['type'], more = {}) =>
    get('/api/v1/accounts', { query: { type, limit: MOST, ...more }, signal });
  const [pages, unused, ...flows] = await Promise.all([
    Promise.all(TYPES.map((type) => ask(type))),
    Promise.all(TYPES.map((type) => ask(type, { unused: '1' }))),
    sumPayees('spent', period, signal),
    sumPayees('earned', period, signal),
  ]);
  const all = pages.flatMap(({ data }) => data);
  const byName = groupBy(all, ({ attributes }) => attributes.name.toLowerCase());
  const [spent, earned] = flows.map((sums) => (of: Label) => sums.get(of.id) ?? []);
  const labels = [...byName.values()]
    .map(fromAccounts)
    .map((label) => ({ ...label, spent: spent!(label), earned: earned!(label) }))
    .sort((one, other) => one.name.localeCompare(other.name));
  const unusedIds = new Set(unused.flatMap(({ data }) => data.map(({ id }) => id)));
  return {
    labels,
    unused: new Set(labels.filter((one) => one.accounts.every(({ id }) => unusedIds.has(id))).map(({ id }) => id)),
    total: labels.length + pages.reduce((more, { data, meta }) => more + meta.pagination.total - data.length, 0),
  };
}

/** By the id of each account. */
async function sumPayees(type: 'spent' | 'earned', period: Period, signal: AbortSignal): Promise<Map<string, Sum[]>> {
  const query = { by: 'payee' as const, type, period: 'range' as const, ...period, limit: MOST };
  const { data } = await get('/api/v1/reports/breakdown', { query, signal });
  return new Map(
    data.flatMap(({ account_ids, amounts }) => {
      const sums = toSums(amounts.map(({ total, ...currency }) => ({ ...currency, amount: total })));
      return (account_ids ?? []).map((id) => [String(id), sums] as const);
    }),
  );
}

export async function loadLabel(kind: LabelKind, id: string, signal: AbortSignal): Promise<Label> {
  const options = { path: { id }, signal };
  if (kind === 'categories') return fromCategory((await get('/api/v1/categories/{id}', options)).data);
  if (kind === 'tags') return fromTag((await get('/api/v1/tags/{id}', options)).data);
  const [account, { meta }] = await Promise.all([
    get('/api/v1/accounts/{id}', options),
    get('/api/v1/reports/totals', { query: { payee_id: Number(id) }, signal }),
  ]);
  return { ...fromAccounts([account.data]), count: meta.splits };
}

/** The months of a category include its sub-categories if they are folded. */
export async function loadMonths(kind: LabelKind, id: string, period: Period, isFolded: boolean, signal: AbortSignal) {
  const options = { path: { id }, query: { ...period }, signal };
  const fold = isFolded ? { children: 'fold' as const } : {};
  if (kind === 'categories')
    return (await get('/api/v1/categories/{id}/months', { ...options, query: { ...period, ...fold } })).data;
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

/** A payee with two accounts takes two changes. */
export async function mergeLabel(kind: LabelKind, label: Label, into: Label): Promise<Answer<unknown>[]> {
  const merge = (id: string, into_id: string) =>
    [{ into_id: Number(into_id) }, { path: { id } }] as [{ into_id: number }, { path: { id: string } }];
  if (kind === 'categories') return [await post('/api/v1/categories/{id}/merge', ...merge(label.id, into.id))];
  if (kind === 'tags') return [await post('/api/v1/tags/{id}/merge', ...merge(label.id, into.id))];
  const answers = [];
  for (const { id, type } of label.accounts) {
    const target = into.accounts.find((account) => account.type === type)!;
    answers.push(await post('/api/v1/accounts/{id}/merge', ...merge(id, target.id)));
  }
  return answers;
}

/** A payee can be merged into another that has accounts of the same types. */
export const canMerge = (label: Label, into: Label): boolean =>
  label.id !== into.id && label.accounts.every(({ type }) => into.accounts.some((account) => account.type === type));

/** The filter of the list of transactions. */
export const FILTERS = { categories: 'category_id', tags: 'tag_id', payees: 'payee_id' } as const;

/** Parents with the sums of their sub-categories. */
export function foldSums(labels: Label[]): Label[] {
  const children = groupBy(labels, ({ parent }) => parent ?? '');
  return labels.map((label) => {
    const all = [label, ...(children.get(label.id) ?? [])];
    return {
      ...label,
      spent: addSums(all.flatMap(({ spent }) => spent)),
      earned: addSums(all.flatMap(({ earned }) => earned)),
    };
  });
}

function addSums(sums: Sum[]): Sum[] {
  return [...groupBy(sums, ({ code }) => code).values()]
    .map((of) => ({ ...of[0]!, units: of.reduce((sum, { units }) => sum + units, 0n) }))
    .filter(({ units }) => units);
}

const NEW_DAYS = 30;

/** What nobody uses is hidden, unless it was made lately or has a sub-category that is shown. */
export function hideUnused({ labels, unused }: LabelPage, today: Day): { shown: Label[]; hidden: number } {
  const since = addDays(today, -NEW_DAYS);
  const used = labels.filter(({ id, created }) => !unused.has(id) || created.slice(0, 10) >= since);
  const parents = new Set(used.map(({ parent }) => parent));
  const shown = labels.filter((label) => used.includes(label) || parents.has(label.id));
  return { shown, hidden: labels.length - shown.length };
}

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
