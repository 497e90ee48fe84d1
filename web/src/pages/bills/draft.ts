// Converts a bill to the values of its form and back.
import type { BillBody, Transaction } from '$/api/types';
import { fromUnits, toUnits } from '$/money/money';
import { toApiAmount, writeAmount } from '$/money/parse';
import type { BillAttributes } from './year';

export interface BillDraft {
  name: string;
  match: string;
  amount_min: string;
  amount_max: string;
  currency_code: string;
  date: string;
  end_date: string;
  extension_date: string;
  repeat_freq: string;
  skip: string;
  automatch: boolean;
  active: boolean;
  object_group_title: string;
  notes: string;
}

export function emptyDraft(currency: string, today: string): BillDraft {
  return {
    name: '',
    match: '',
    amount_min: '',
    amount_max: '',
    currency_code: currency,
    date: today,
    end_date: '',
    extension_date: '',
    repeat_freq: 'monthly',
    skip: '0',
    automatch: true,
    active: true,
    object_group_title: '',
    notes: '',
  };
}

export function draftFromBill(bill: BillAttributes): BillDraft {
  return {
    name: bill.name,
    match: bill.match.join(', '),
    amount_min: writeAmount(String(bill.amount_min)),
    amount_max: writeAmount(String(bill.amount_max)),
    currency_code: bill.currency_code,
    date: bill.date,
    end_date: bill.end_date ?? '',
    extension_date: bill.extension_date ?? '',
    repeat_freq: bill.repeat_freq,
    skip: String(bill.skip),
    automatch: bill.automatch,
    active: bill.active,
    object_group_title: bill.object_group_title ?? '',
    notes: bill.notes ?? '',
  };
}

/** Text that is not an amount is sent unchanged, so that the API says what is wrong with it. */
const amount = (input: string, code: string): string | null => toApiAmount(input, code) || null;

export function toBody(draft: BillDraft): BillBody {
  return {
    ...draft,
    amount_min: amount(draft.amount_min, draft.currency_code),
    amount_max: amount(draft.amount_max, draft.currency_code),
    repeat_freq: draft.repeat_freq as BillBody['repeat_freq'],
    end_date: draft.end_date || null,
    extension_date: draft.extension_date || null,
    skip: String(draft.skip ?? '').trim() || '0',
    object_group_title: draft.object_group_title.trim() || null,
    notes: draft.notes.trim() || null,
  };
}

const ROOM_PERCENT = 10n;

/** From ten per cent less to ten per cent more, at least one cent apart and never below one cent. */
export function addTolerance(amount: bigint): [bigint, bigint] {
  const least = (amount * (100n - ROOM_PERCENT)) / 100n || 1n;
  const most = (amount * (100n + ROOM_PERCENT) + 99n) / 100n;
  return [least, most > least ? most : least + 1n];
}

/** A bill that this transaction would pay: it matches the payee, or the description if it was paid in cash. */
export function draftFromTransaction(splits: Transaction[], cash: (type: string) => boolean): BillDraft {
  const first = splits[0]!.attributes;
  const decimals = first.currency_dp;
  const own = splits.filter(({ attributes }) => attributes.currency_id === first.currency_id);
  const total = own.reduce((sum, { attributes }) => sum + toUnits(attributes.amount, decimals), 0n);
  const [least, most] = addTolerance(total < 0n ? -total : total);
  const payee =
    cash(first.destination_type) || splits.some(({ attributes }) => attributes.destination_id !== first.destination_id)
      ? ''
      : first.destination_name;
  return {
    ...emptyDraft(first.currency_code, first.date),
    name: first.journal_description,
    match: (payee || first.journal_description).replaceAll(',', ' '),
    amount_min: writeAmount(fromUnits(least, decimals)),
    amount_max: writeAmount(fromUnits(most, decimals)),
  };
}
