// A line as the API returns it, for tests.
import type { Transaction } from '$/api/types';

export function line(attributes: Partial<Transaction['attributes']> = {}, id = '1'): Transaction {
  const at = '2024-05-10T10:00:00+00:00';
  const none = {
    foreign_amount: null,
    foreign_currency_id: null,
    foreign_currency_code: null,
    foreign_currency_symbol: null,
    foreign_currency_dp: null,
  };
  const days = {
    interest_date: null,
    book_date: null,
    process_date: null,
    due_date: null,
    payment_date: null,
    invoice_date: null,
  };
  return {
    type: 'transactions',
    id,
    links: { self: '' } as Transaction['links'],
    attributes: {
      updated_at: at,
      created_at: at,
      description: 'Groceries',
      transaction_description: null,
      journal_description: 'Groceries',
      date: '2024-05-10',
      type: 'Withdrawal',
      identifier: 0,
      journal_id: 1,
      reconciled: false,
      refund: false,
      amount: '-23.95',
      currency_id: 1,
      currency_code: 'EUR',
      currency_symbol: '€',
      currency_dp: 2,
      ...none,
      bill_id: null,
      bill_name: null,
      category_id: null,
      category_name: null,
      category_colour: null,
      category_icon: null,
      budget_id: null,
      budget_name: null,
      tags: null,
      notes: null,
      internal_reference: null,
      recurrence_id: null,
      ...days,
      source_id: 3,
      source_name: 'Checking',
      source_iban: null,
      source_type: 'Asset account',
      destination_id: 4,
      destination_name: 'Corner shop',
      destination_iban: null,
      destination_type: 'Expense account',
      external_id: null,
      external_url: null,
      ...attributes,
    },
  };
}
