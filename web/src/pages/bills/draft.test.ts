import { expect, test } from 'vitest';
import type { Transaction } from '$/api/types';
import { addTolerance, toBody, emptyDraft, draftFromTransaction } from './draft';

const split = (more: object): Transaction =>
  ({
    attributes: {
      journal_description: 'Rent, May',
      date: '2024-05-02',
      amount: '-1450.00',
      currency_id: 1,
      currency_code: 'EUR',
      currency_dp: 2,
      destination_id: 9,
      destination_name: 'Harbour Lettings',
      destination_type: 'Expense account',
      ...more,
    },
  }) as Transaction;
const cash = (type: string): boolean => type === 'Cash account';

test('the tolerance is at least one cent', () => {
  expect(addTolerance(145000n)).toEqual([130500n, 159500n]);
  expect(addTolerance(1n)).toEqual([1n, 2n]);
  expect(addTolerance(999n)).toEqual([899n, 1099n]);
});

test('a bill from a transaction has its payee, its date and its amount with tolerance', () => {
  expect(draftFromTransaction([split({})], cash)).toMatchObject({
    name: 'Rent, May',
    match: 'Harbour Lettings',
    amount_min: '1305.00',
    amount_max: '1595.00',
    currency_code: 'EUR',
    date: '2024-05-02',
  });
});

test('splits of one currency are summed; with several payees or cash the description is matched', () => {
  const two = draftFromTransaction([split({ amount: '-10.00' }), split({ amount: '-5.50', destination_id: 10 })], cash);
  expect(two).toMatchObject({ match: 'Rent  May', amount_min: '13.95', amount_max: '17.05' });
  expect(draftFromTransaction([split({ destination_type: 'Cash account' })], cash).match).toBe('Rent  May');
});

test('amounts are parsed; text that is not an amount is sent as typed', () => {
  const sent = toBody({
    ...emptyDraft('EUR', '2024-01-01'),
    amount_min: '1.234,50',
    amount_max: 'much',
    notes: '  ',
    skip: '',
  });
  expect(sent).toMatchObject({ amount_min: '1234.50', amount_max: 'much', notes: null, skip: '0' });
});
