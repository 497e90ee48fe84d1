// What to do with a transaction that probably pays a bill, although its amount is outside the range.
import { put, read, type Answer } from '$/api/client';
import type { components } from '$/api/schema';
import { toUnits } from '$/money/money';
import { draftFromBill, toBody } from './draft';
import { setBill } from './link';

export type Probable = components['schemas']['ProbableShown'];

export const accept = (bill: string, { transaction_id }: Probable): Promise<Answer<unknown>> =>
  setBill(transaction_id, bill);

/** The bill then recognises the payment by itself. Everything else about it stays. */
export async function widen(bill: string, { amount, beyond }: Probable): Promise<Answer<unknown>> {
  const path = { id: bill };
  const { data, etag } = await read('/api/v1/bills/{id}', { path });
  const { attributes } = data.data;
  const end = toUnits(beyond, attributes.currency_dp) > 0n ? 'amount_max' : 'amount_min';
  return put(
    '/api/v1/bills/{id}',
    { ...toBody(draftFromBill(attributes)), [end]: String(amount) },
    { path, match: etag },
  );
}
