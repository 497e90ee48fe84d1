// Sorts a bill's periods by month and adds up what is still to be paid, per currency and never converted.
import type { Bill } from '$/api/types';
import { toUnits } from '$/money/money';

export type BillAttributes = Bill['attributes'];
export type BillPeriod = BillAttributes['periods'][number];

/** From worst to best: a month shows the worst state of its periods. */
const BY_URGENCY = ['overdue', 'due', 'probable', 'upcoming', 'paid'];

/** Twelve lists, January first. */
export function groupByMonth(periods: BillPeriod[]): BillPeriod[][] {
  return Array.from({ length: 12 }, (_, month) =>
    periods.filter(({ expected_date: day }) => Number(day.slice(5, 7)) === month + 1),
  );
}

export function worstState(periods: BillPeriod[]): string {
  return BY_URGENCY.find((state) => periods.some((period) => period.state === state)) ?? 'paid';
}

export interface BillTotals {
  currency: string;
  decimals: number;
  overdue: AmountRange;
  toCome: AmountRange;
  paid: bigint;
}

type Currency = Pick<BillAttributes, 'currency_code' | 'currency_dp'>;

/** The lowest and the highest cost of unpaid periods. */
export interface AmountRange {
  count: number;
  least: bigint;
  most: bigint;
}

const NOTHING: AmountRange = { count: 0, least: 0n, most: 0n };

function addCost(range: AmountRange, bill: BillAttributes, count: number): AmountRange {
  const [least, most] = [toUnits(bill.amount_min, bill.currency_dp), toUnits(bill.amount_max, bill.currency_dp)];
  return {
    count: range.count + count,
    least: range.least + least * BigInt(count),
    most: range.most + most * BigInt(count),
  };
}

/** One line per currency, in the order of the bills. A paused bill expects no payments. */
export function totalBills(bills: BillAttributes[]): BillTotals[] {
  const found = new Map<string, BillTotals>();
  const lineOf = ({ currency_code: currency, currency_dp: decimals }: Currency): BillTotals => {
    const line = found.get(currency) ?? { currency, decimals, overdue: NOTHING, toCome: NOTHING, paid: 0n };
    found.set(currency, line);
    return line;
  };
  for (const bill of bills) {
    const line = lineOf(bill);
    const count = (wanted: (state: string) => boolean): number =>
      bill.active ? bill.periods.filter(({ state }) => wanted(state)).length : 0;
    line.overdue = addCost(
      line.overdue,
      bill,
      count((state) => state === 'overdue'),
    );
    line.toCome = addCost(
      line.toCome,
      bill,
      count((state) => state === 'due' || state === 'upcoming' || state === 'probable'),
    );
    for (const payment of bill.periods.flatMap(({ payments }) => payments)) {
      lineOf(payment).paid += toUnits(payment.amount, payment.currency_dp);
    }
  }
  return [...found.values()];
}
