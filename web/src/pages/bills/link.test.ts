import { expect, test } from 'vitest';
import type { Transaction } from '$/api/types';
import { withBill } from './link';

const split = (more: object): Transaction =>
  ({
    attributes: {
      type: 'Withdrawal',
      date: '2024-05-02',
      journal_description: 'Market',
      transaction_description: null,
      notes: 'n',
      tags: 'a,b',
      internal_reference: 'R1',
      interest_date: null,
      book_date: null,
      process_date: null,
      due_date: '2024-05-02',
      payment_date: null,
      invoice_date: null,
      amount: '-2.50',
      currency_id: 1,
      currency_dp: 2,
      foreign_amount: null,
      foreign_currency_id: null,
      foreign_currency_dp: null,
      source_id: 3,
      destination_id: 4,
      category_id: 5,
      budget_id: null,
      reconciled: true,
      ...more,
    },
  }) as unknown as Transaction;

test('linking a bill sends all other fields unchanged', () => {
  expect(withBill([split({ foreign_amount: '-3.1', foreign_currency_id: 2, foreign_currency_dp: 2 })], '7')).toEqual({
    type: 'withdrawal',
    date: '2024-05-02',
    description: 'Market',
    notes: 'n',
    tags: 'a,b',
    bill_id: '7',
    internal_reference: 'R1',
    interest_date: null,
    book_date: null,
    process_date: null,
    due_date: '2024-05-02',
    payment_date: null,
    invoice_date: null,
    transactions: [
      {
        amount: '2.50',
        currency_id: 1,
        foreign_amount: '3.10',
        foreign_currency_id: 2,
        source_id: 3,
        destination_id: 4,
        category_id: 5,
        budget_id: null,
        reconciled: true,
        description: null,
      },
    ],
  });
});

test('several splits keep their descriptions; an empty bill unlinks', () => {
  const sent = withBill(
    [split({ transaction_description: 'Bread' }), split({ transaction_description: 'Flowers', amount: '-4' })],
    '',
  );
  expect(sent.bill_id).toBe('');
  expect(sent.transactions.map(({ description, amount }) => [description, amount])).toEqual([
    ['Bread', '2.50'],
    ['Flowers', '4.00'],
  ]);
});
