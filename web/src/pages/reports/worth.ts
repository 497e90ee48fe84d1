// The lines of the chart of net worth.
import type { components } from '$/api/schema';
import { readUnits, type Series } from '$/charts/series';

type Worth = components['schemas']['NetWorthReport']['data'][number];
export type Grouping = 'accounts' | 'kinds';

/** More lines than this are hard to tell apart. */
const LINES = 7;

/** The accounts that move the most, and the sum of the others, so that the lines add up to the whole. */
export function toWorth(
  worth: Worth,
  grouping: Grouping,
  kinds: Record<string, string>,
  others: (count: number) => string,
): Series[] {
  const { currency_code: currency, currency_dp: decimals } = worth;
  const named =
    grouping === 'kinds'
      ? worth.kinds.map(({ kind, parts }) => ({ label: kinds[kind] ?? kind, parts }))
      : worth.accounts.map(({ name, parts }) => ({ label: name, parts }));
  const lines = named
    .map(({ label, parts }) => ({ label, currency, decimals, values: readUnits(parts, decimals) }))
    .filter(({ values }) => values.some(Boolean))
    .sort((one, other) => (largest(other.values) > largest(one.values) ? 1 : -1));
  if (lines.length <= LINES) return lines;
  const rest = lines.slice(LINES - 1);
  const values = rest[0]!.values.map((_, at) => rest.reduce((sum, line) => sum + line.values[at]!, 0n));
  return [...lines.slice(0, LINES - 1), { label: others(rest.length), currency, decimals, values, kind: 'other' }];
}

function largest(values: bigint[]): bigint {
  return values.reduce((most, value) => {
    const size = value < 0n ? -value : value;
    return size > most ? size : most;
  }, 0n);
}
