// Compares two versions of a form's values, field by field, and merges them as chosen.
import { t } from '$/messages';

export type Choice = 'mine' | 'theirs';

export interface FieldVersions {
  /** Where the value is, such as `splits.0.amount`. */
  path: string;
  mine: unknown;
  theirs: unknown;
  choice: Choice;
}

/** Keys only keep fields in place. */
const withoutKeys = (name: string, value: unknown): unknown => (name === 'key' ? undefined : value);
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one, withoutKeys) === JSON.stringify(other, withoutKeys);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** A name that was typed or chosen is one value, and so is a condition of a rule. */
const isGroup = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !('text' in value) && !('key' in value);

/** The fields that differ. Where only one side has changed the original, that side is chosen, else mine. */
export function compareVersions(original: unknown, mine: unknown, theirs: unknown, path = ''): FieldVersions[] {
  if (isSame(mine, theirs)) return [];
  const below = (key: string | number): string => (path ? `${path}.${key}` : String(key));
  if (Array.isArray(mine) && Array.isArray(theirs) && mine.length === theirs.length && mine.every(isObject)) {
    const before: unknown[] = Array.isArray(original) ? original : [];
    return mine.flatMap((one, at) => compareVersions(before[at], one, theirs[at], below(at)));
  }
  if (isGroup(mine) && isGroup(theirs)) {
    const before = isObject(original) ? original : {};
    return Object.keys(mine).flatMap((key) => compareVersions(before[key], mine[key], theirs[key], below(key)));
  }
  return [{ path, mine, theirs, choice: isSame(mine, original) ? 'theirs' : 'mine' }];
}

/** My values with theirs where they were chosen. */
export function mergeVersions<V extends object>(mine: V, fields: FieldVersions[]): V {
  const merged = structuredClone(mine);
  for (const { path, theirs, choice } of fields) {
    if (choice === 'mine') continue;
    const keys = path.split('.');
    const last = keys.pop()!;
    const parent = keys.reduce<Record<string, unknown>>(
      (value, key) => value[key] as Record<string, unknown>,
      merged as Record<string, unknown>,
    );
    parent[last] = structuredClone(theirs);
  }
  return merged;
}

const AMOUNT = /amount|balance/i;

/** A value as text; empty when there is none. Amounts may be hidden; `name` is that of the field. */
export function writeValue(value: unknown, name = '', isHidden = false): string {
  const write = (one: unknown, under: string): string => writeValue(one, under, isHidden);
  if (value === null || value === undefined || value === '') return '';
  if (isHidden && AMOUNT.test(name) && !isObject(value)) return t.errors.hidden;
  if (typeof value === 'boolean') return value ? t.changes.yes : t.changes.no;
  if (Array.isArray(value))
    return join(
      value.map((one) => write(one, name)),
      '; ',
    );
  if (!isObject(value)) return String(value as string | number);
  if ('text' in value) return String(value.text);
  return join(
    Object.entries(value).map(([under, one]) => write(one, under)),
    ' · ',
  );
}

const join = (texts: string[], between: string): string => texts.filter(Boolean).join(between);
