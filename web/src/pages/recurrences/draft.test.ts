import { expect, test } from 'vitest';
import type { Recurrence, Transaction } from '$/api/types';
import {
  toBody,
  isComplete,
  emptyDraft,
  checkEnding,
  checkCurrencies,
  nextAfter,
  draftFromRecurrence,
  draftFromTransaction,
  scheduleOf,
  previewBody,
} from './draft';

const shown = {
  attributes: {
    transaction_type: 'Transfer',
    title: 'Savings',
    description: '',
    first_date: '2026-07-01',
    repeat_until: null,
    repetitions: 12,
    apply_rules: true,
    active: true,
    recurrence_repetitions: [
      { repetition_type: 'monthly', repetition_moment: 'last', repetition_skip: 1, weekend: 4, holidays: true },
    ],
    transactions: [
      {
        source_id: 3,
        source_name: 'Current',
        destination_id: 4,
        destination_name: 'Savings',
        currency_code: 'EUR',
        amount: '200.00',
        foreign_amount: null,
        foreign_currency_code: null,
        description: 'Order',
        meta: [{ name: 'category_name', value: 'Saving' }],
      },
    ],
  },
  meta: [
    { name: 'tags', value: 'a,b' },
    { name: 'piggy_bank_id', value: '9' },
  ],
} as unknown as Recurrence;

test('a recurrence that is read and sent again stays unchanged', () => {
  expect(toBody(draftFromRecurrence(shown))).toEqual({
    type: 'transfer',
    title: 'Savings',
    description: null,
    first_date: '2026-07-01',
    repeat_until: null,
    nr_of_repetitions: '12',
    apply_rules: true,
    active: true,
    tags: 'a,b',
    piggy_bank_id: '9',
    repetitions: [{ type: 'monthly', moment: 'last', skip: '1', weekend: '4', holidays: true }],
    transactions: [
      {
        description: 'Order',
        amount: '200.00',
        currency_code: 'EUR',
        source_id: '3',
        destination_id: '4',
        category_name: 'Saving',
        budget_name: null,
        foreign_amount: null,
        foreign_currency_code: null,
      },
    ],
  });
});

test('the payee is sent by name, and only withdrawals have budgets', () => {
  const draft = { ...emptyDraft('EUR', '2026-11-16'), source_id: '3', destination_id: '4' };
  const split = { ...draft.splits[0]!, other: 'Gym', amount: '25,45', budget_name: 'Leisure' };
  expect(toBody({ ...draft, splits: [split] }).transactions![0]).toMatchObject({
    source_id: '3',
    destination_name: 'Gym',
    amount: '25.45',
    budget_name: 'Leisure',
  });
  expect(toBody({ ...draft, type: 'deposit', splits: [split] }).transactions![0]).toMatchObject({
    source_name: 'Gym',
    destination_id: '4',
    budget_name: null,
  });
});

test('a payee that was read is sent by its id until another name is typed', () => {
  const draft = emptyDraft('EUR', '2026-11-16');
  const split = { ...draft.splits[0]!, other: 'Gym', known: { id: '7', name: 'Gym' } };
  expect(toBody({ ...draft, splits: [split] }).transactions![0]).toMatchObject({
    destination_id: '7',
    destination_name: undefined,
  });
  expect(toBody({ ...draft, splits: [{ ...split, other: 'Pool' }] }).transactions![0]).toMatchObject({
    destination_id: undefined,
    destination_name: 'Pool',
  });
});

test('only the chosen ending is sent', () => {
  const draft = { ...emptyDraft('EUR', '2026-11-16'), repeat_until: '2027-01-01', nr_of_repetitions: '3' };
  expect(scheduleOf(draft)).toMatchObject({ repeat_until: null, nr_of_repetitions: null });
  expect(scheduleOf({ ...draft, ends: 'count' })).toMatchObject({ repeat_until: null, nr_of_repetitions: '3' });
});

test('a chosen ending needs a value', () => {
  const draft = emptyDraft('EUR', '2026-11-16');
  expect(checkEnding(draft)).toEqual({});
  expect(checkEnding({ ...draft, ends: 'until' })).toEqual({ repeat_until: ['This is required.'] });
  expect(checkEnding({ ...draft, ends: 'count', nr_of_repetitions: null as unknown as string })).toEqual({
    nr_of_repetitions: ['This is required.'],
  });
  expect(checkEnding({ ...draft, ends: 'count', nr_of_repetitions: '3' })).toEqual({});
});

test('each of the user’s accounts needs an amount in its own currency', () => {
  const accounts = [
    { id: '3', currency: 'EUR' },
    { id: '4', currency: 'USD' },
  ];
  const draft = { ...emptyDraft('EUR', '2026-11-16'), source_id: '3', destination_id: '4' };
  expect(checkCurrencies(draft, accounts)).toEqual({});
  expect(Object.keys(checkCurrencies({ ...draft, type: 'transfer' }, accounts))).toEqual([
    'transactions.0.foreign_amount',
  ]);
  const split = { ...draft.splits[0]!, foreign_amount: '9', foreign_currency_code: 'USD' };
  expect(checkCurrencies({ ...draft, type: 'transfer', splits: [split] }, accounts)).toEqual({});
});

test('zero repetitions are sent for the API to refuse', () => {
  expect(
    scheduleOf({ ...emptyDraft('EUR', '2026-11-16'), ends: 'count', nr_of_repetitions: 0 as unknown as string })
      .nr_of_repetitions,
  ).toBe('0');
});

test('the preview waits until the schedule is complete', () => {
  const draft = emptyDraft('EUR', '2026-11-16');
  expect(isComplete(draft)).toBe(true);
  expect(isComplete({ ...draft, first_date: '' })).toBe(false);
  expect(isComplete({ ...draft, ends: 'until' })).toBe(false);
  expect(isComplete({ ...draft, repetitions: [{ ...draft.repetitions[0]!, type: 'yearly', moment: '' }] })).toBe(false);
});

test('the preview needs no title and no amount', () => {
  expect(previewBody(emptyDraft('EUR', '2026-11-16'), '3')).toMatchObject({
    title: '-',
    first_date: '2026-11-16',
    transactions: [{ source_id: '3', amount: '1' }],
  });
});

test('a recurrence from a transaction starts in the next future month', () => {
  expect(nextAfter('2024-01-31', '2024-02-15')).toBe('2024-02-29');
  expect(nextAfter('2024-01-31', '2024-02-29')).toBe('2024-03-31');
  const split = {
    type: 'Withdrawal',
    journal_description: 'Gym',
    transaction_description: null,
    date: '2024-01-31',
    amount: '-25.45',
    currency_code: 'EUR',
    currency_dp: 2,
    source_id: 3,
    destination_id: 7,
    destination_name: 'Gym Ltd',
    category_name: null,
    budget_name: 'Leisure',
    tags: null,
    foreign_amount: null,
    foreign_currency_code: null,
  };
  const draft = draftFromTransaction([{ attributes: split } as unknown as Transaction], '2024-02-15');
  expect(draft).toMatchObject({
    type: 'withdrawal',
    title: 'Gym',
    source_id: '3',
    destination_id: '',
    first_date: '2024-02-29',
  });
  expect(draft.repetitions[0]!.moment).toBe('last');
  expect(draft.splits).toEqual([
    {
      description: 'Gym',
      amount: '25.45',
      other: 'Gym Ltd',
      known: { id: '7', name: 'Gym Ltd' },
      category_name: '',
      budget_name: 'Leisure',
      foreign_amount: '',
      foreign_currency_code: '',
    },
  ]);
});
