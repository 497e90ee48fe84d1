// An amount for some days: the limit of a budget, or what is available to budget.
import { read } from '$/api/client';
import type { ExactNumber } from '$/api/exact';
import type { Stored } from '$/form/form.svelte';
import { writeAmount } from '$/money/parse';

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
  amount: writeAmount(String(amount)),
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
