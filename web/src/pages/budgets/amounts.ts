// An amount for some days: the limit of a budget, or what is available to budget.
import { read } from '$/api/client';
import type { ExactNumber } from '$/api/exact';
import type { AvailableBudget } from '$/api/types';
import type { Stored } from '$/form/form.svelte';
import { sum, toUnits } from '$/money/money';

export interface AmountValues {
  amount: string;
  currency_code: string;
  start_date: string;
  end_date: string;
}

interface Amount extends Omit<AmountValues, 'amount'> {
  amount: ExactNumber;
}

const valuesOf = ({ amount, currency_code, start_date, end_date }: Amount): AmountValues => ({
  amount: String(amount),
  currency_code,
  start_date,
  end_date,
});

export async function readLimit(id: string): Promise<Stored<AmountValues>> {
  const { data, etag } = await read('/api/v1/budget_limits/{id}', { path: { id } });
  return { values: valuesOf(data.data.attributes), etag };
}

export async function readAvailable(id: string): Promise<Stored<AmountValues>> {
  const { data, etag } = await read('/api/v1/available_budgets/{id}', { path: { id } });
  return { values: valuesOf(data.data.attributes), etag };
}

/** Amounts for the same days in one currency: they add up, and what was spent on these days counts once. */
export interface AvailableTogether {
  amounts: [AvailableBudget, ...AvailableBudget[]];
  total: bigint;
  spent: bigint;
}

export function addUpAvailable(available: readonly AvailableBudget[]): AvailableTogether[] {
  const together = new Map<string, [AvailableBudget, ...AvailableBudget[]]>();
  for (const budget of available) {
    const { currency_code, start_date, end_date } = budget.attributes;
    const key = `${currency_code} ${start_date} ${end_date}`;
    const known = together.get(key);
    if (known) known.push(budget);
    else together.set(key, [budget]);
  }
  return [...together.values()].map((amounts) => {
    const { currency_dp: decimals, spent } = amounts[0].attributes;
    const total = sum(
      amounts.map((budget) => budget.attributes.amount),
      decimals,
    );
    return { amounts, total, spent: toUnits(spent, decimals) };
  });
}
