// Sorts a bill's periods by month and adds up what is still to be paid, per currency and never converted.
import type { Bill } from '$/api/types';
import { sum, toUnits } from '$/money/money';

export type Attributes = Bill['attributes'];
export type Period = Attributes['periods'][number];

/** The worse comes first: a month says the worst of its periods. */
const BY_URGENCY = ['overdue', 'due', 'upcoming', 'paid'];

/** Twelve lists, January first. */
export function byMonth(periods: Period[]): Period[][] {
  return Array.from({ length: 12 }, (_, month) =>
    periods.filter(({ expected_date: day }) => Number(day.slice(5, 7)) === month + 1),
  );
}

export function worst(periods: Period[]): string {
  return BY_URGENCY.find((state) => periods.some((period) => period.state === state)) ?? 'paid';
}

export interface Left {
  currency: string;
  decimals: number;
  overdue: Range;
  toCome: Range;
  paid: bigint;
}

/** What unpaid periods will cost, from the least to the most. */
export interface Range {
  count: number;
  least: bigint;
  most: bigint;
}

const NOTHING: Range = { count: 0, least: 0n, most: 0n };

function plus(range: Range, bill: Attributes, count: number): Range {
  const [least, most] = [toUnits(bill.amount_min, bill.currency_dp), toUnits(bill.amount_max, bill.currency_dp)];
  return {
    count: range.count + count,
    least: range.least + least * BigInt(count),
    most: range.most + most * BigInt(count),
  };
}

/** One line per currency, in the order in which the bills bring them. A paused bill expects nothing. */
export function left(bills: Attributes[]): Left[] {
  const found = new Map<string, Left>();
  for (const bill of bills) {
    const code = bill.currency_code;
    const line = found.get(code) ?? {
      currency: code,
      decimals: bill.currency_dp,
      overdue: NOTHING,
      toCome: NOTHING,
      paid: 0n,
    };
    const count = (wanted: (state: string) => boolean): number =>
      bill.active ? bill.periods.filter(({ state }) => wanted(state)).length : 0;
    line.overdue = plus(
      line.overdue,
      bill,
      count((state) => state === 'overdue'),
    );
    line.toCome = plus(
      line.toCome,
      bill,
      count((state) => state === 'due' || state === 'upcoming'),
    );
    line.paid += sum(
      bill.periods.flatMap(({ payments }) => payments.map(({ amount }) => amount)),
      bill.currency_dp,
    );
    found.set(code, line);
  }
  return [...found.values()];
}
