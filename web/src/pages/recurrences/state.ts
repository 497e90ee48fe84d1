// The state of a recurrence and the amount it moves.
import type { Recurrence } from '$/api/types';
import { sum } from '$/money/money';

type RecurrenceAttributes = Recurrence['attributes'];

/** Null when paused: the API then still lists the dates, but nothing is booked. */
export function nextDay(shown: RecurrenceAttributes): string | null {
  if (!shown.active) return null;
  return shown.recurrence_repetitions.flatMap(({ occurrences }) => occurrences).sort()[0] ?? null;
}

export function stateOf(shown: RecurrenceAttributes): 'failed' | 'paused' | 'ended' | 'active' {
  if (!shown.active) return 'paused';
  if (shown.failure) return 'failed';
  return nextDay(shown) ? 'active' : 'ended';
}

/** The sum of all splits, per currency. */
export function totals(shown: RecurrenceAttributes): { currency: string; decimals: number; amount: bigint }[] {
  const codes = [...new Set(shown.transactions.map(({ currency_code: code }) => code))];
  return codes.map((currency) => {
    const of = shown.transactions.filter(({ currency_code: code }) => code === currency);
    const decimals = of[0]!.currency_dp;
    return {
      currency,
      decimals,
      amount: sum(
        of.map(({ amount }) => amount),
        decimals,
      ),
    };
  });
}

/** The source and destination accounts, each named once. */
export function sides(shown: RecurrenceAttributes): { source: string; destination: string } {
  const names = (of: (one: RecurrenceAttributes['transactions'][number]) => string): string =>
    [...new Set(shown.transactions.map(of))].join(', ');
  return {
    source: names(({ source_name }) => source_name),
    destination: names(({ destination_name }) => destination_name),
  };
}
