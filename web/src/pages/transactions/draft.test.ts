import { expect, test } from 'vitest';
import {
  draftFromLines,
  emptyDraft,
  emptySplit,
  toNamedAccount,
  placeErrors,
  remaining,
  toBody,
  type TransactionDraft,
} from './draft';
import { line } from './line.fixture';

function typedIn(changes: Partial<TransactionDraft> = {}): TransactionDraft {
  const draft = emptyDraft('2024-05-10', 'EUR');
  draft.description = 'Groceries';
  draft.own = toNamedAccount(3, 'Checking');
  draft.splits[0]!.amount = '1.234,50';
  return { ...draft, ...changes };
}

test("the form is converted to the API's fields", () => {
  const draft = typedIn();
  draft.splits[0]!.other = { text: ' Corner shop ', id: null, chosenName: '' };
  expect(toBody(draft)).toEqual({
    type: 'withdrawal',
    date: '2024-05-10',
    description: 'Groceries',
    tags: [],
    transactions: [{ amount: '1234.50', currency_code: 'EUR', source_id: '3', destination_name: 'Corner shop' }],
  });
});

test('an id is not sent after the name was changed', () => {
  const draft = typedIn({ own: { ...toNamedAccount(3, 'Checking'), text: 'Savings' } });
  expect(toBody(draft).transactions?.[0]).toMatchObject({ source_name: 'Savings' });
  expect(toBody(draft).transactions?.[0]).not.toHaveProperty('source_id');
});

test('each type puts the user’s account on its own side', () => {
  const deposit = typedIn({ type: 'deposit' });
  deposit.splits[0]!.budget = 'Household';
  expect(toBody(deposit).transactions?.[0]).toEqual({ amount: '1234.50', currency_code: 'EUR', destination_id: '3' });
  const transfer = typedIn({ type: 'transfer', to: toNamedAccount(9, 'Savings') });
  expect(toBody(transfer).transactions?.[0]).toMatchObject({ source_id: '3', destination_id: '9' });
});

test('a transaction that is read and sent again stays what it was', () => {
  const given = {
    tags: 'food,weekend',
    bill_name: 'Shop',
    category_name: 'Household',
    notes: 'a note',
    due_date: '2024-06-01',
    reconciled: true,
    internal_reference: 'R1',
    foreign_amount: '-26.1',
    foreign_currency_code: 'USD',
    foreign_currency_dp: 2,
  };
  const draft = draftFromLines([line(given)])!;
  expect(toBody(draft, draft)).toEqual({
    type: 'withdrawal',
    date: '2024-05-10',
    description: 'Groceries',
    tags: ['food', 'weekend'],
    notes: 'a note',
    internal_reference: 'R1',
    due_date: '2024-06-01',
    transactions: [
      {
        amount: '23.95',
        currency_code: 'EUR',
        source_id: '3',
        destination_id: '4',
        foreign_amount: '26.10',
        foreign_currency_code: 'USD',
        category_name: 'Household',
        reconciled: true,
      },
    ],
  });
});

test('a bill is sent only when it was changed, and unlinked when emptied', () => {
  const before = draftFromLines([line({ bill_name: 'Rent' })])!;
  expect(toBody({ ...before, bill: '' }, before).bill_name).toBe('');
  expect(toBody({ ...before, bill: 'Phone' }, before).bill_name).toBe('Phone');
  expect(toBody(before, before)).not.toHaveProperty('bill_name');
});

test('an opening balance cannot be changed', () => {
  expect(draftFromLines([line({ type: 'Opening balance' })])).toBeNull();
});

test('splits keep their descriptions, and the remaining amount is exact', () => {
  const draft = draftFromLines([
    line({ amount: '-0.1', transaction_description: 'Bread', journal_description: 'Market' }),
    line({ amount: '-0.2', transaction_description: 'Eggs', journal_description: 'Market', identifier: 1 }, '2'),
  ])!;
  expect([draft.description, draft.splits.map((split) => split.description), draft.total]).toEqual([
    'Market',
    ['Bread', 'Eggs'],
    '0.30',
  ]);
  expect(remaining(draft, 2)).toBe(0n);
  expect(remaining({ ...draft, total: '1,00' }, 2)).toBe(70n);
  expect(remaining({ ...draft, splits: [draft.splits[0]!] }, 2)).toBeNull();
  expect(remaining({ ...draft, splits: [...draft.splits, emptySplit('USD')] }, 2)).toBeNull();
});

test('errors name fields in plain words', () => {
  const errors = placeErrors(
    { 'transactions.1.foreign_currency_code': ['The transactions.1.foreign_currency_code field is required.'] },
    'withdrawal',
    2,
  );
  expect(errors).toEqual({ 'transactions.1.foreign_amount': ['The foreign currency field is required.'] });
  expect(
    placeErrors(
      { 'transactions.0.source_id': ['The transactions.0.source_id field is required, or source_name.'] },
      'withdrawal',
      1,
    ),
  ).toEqual({ own: ['“From account” is required.'] });
  const unnamed = { description: ['The description field is required: here or in the split.'] };
  expect(placeErrors(unnamed, 'deposit', 1)).toEqual({ description: ['Enter a description, or the payee or payer.'] });
  expect(placeErrors(unnamed, 'deposit', 2)).toEqual(unnamed);
});

test('without a description, a transaction is called like its payee', () => {
  const draft = emptyDraft('2026-11-18', 'EUR');
  draft.splits[0]!.other = { text: ' Corner shop ', id: null, chosenName: '' };
  expect(toBody(draft).description).toBe('Corner shop');
  expect(toBody({ ...draft, description: 'Bread' }).description).toBe('Bread');
  expect(toBody({ ...draft, type: 'transfer' }).description).toBe('');
});

test('errors are placed beside their field', () => {
  const fields = {
    'transactions.0.source_id': ['a'],
    'transactions.1.source_name': ['a'],
    'transactions.1.destination_name': ['b'],
    'transactions.0.currency_code': ['c'],
    bill_name: ['d'],
    'transactions.1.category_name': ['e'],
    'tags.3': ['f'],
    'transactions.1.description': ['g'],
  };
  expect(placeErrors(fields, 'withdrawal', 2)).toEqual({
    own: ['a'],
    'transactions.1.other': ['b'],
    'transactions.0.amount': ['c'],
    bill: ['d'],
    'transactions.1.category': ['e'],
    tags: ['f'],
    'transactions.1.description': ['g'],
  });
  expect(
    placeErrors({ 'transactions.0.destination_id': ['x'], 'transactions.0.source_id': ['y'] }, 'deposit', 1),
  ).toEqual({
    own: ['x'],
    'transactions.0.other': ['y'],
  });
  expect(
    placeErrors({ 'transactions.0.destination_id': ['x'], 'transactions.0.description': ['y'] }, 'transfer', 1),
  ).toEqual({ to: ['x'], description: ['y'] });
});

test('only a refund among the deposits has a budget, and a change can end it', () => {
  const draft = typedIn({ type: 'deposit' });
  draft.splits[0]!.budget = 'Food';
  expect(toBody(draft).transactions?.[0]).not.toHaveProperty('budget_name');
  expect(toBody(draft).transactions?.[0]).not.toHaveProperty('refund');
  draft.splits[0]!.refund = true;
  expect(toBody(draft).transactions?.[0]).toMatchObject({ budget_name: 'Food', refund: true });
  const after = { ...draft, splits: [{ ...draft.splits[0]!, refund: false }] };
  expect(toBody(after, draft).transactions?.[0]).toMatchObject({ refund: false });
});

test('a calculated amount is sent as its result', () => {
  const draft = typedIn();
  draft.splits[0]!.amount = '60+12.5';
  expect(toBody(draft).transactions?.[0]).toMatchObject({ amount: '72.50' });
});

test('a part without a text is called like its category, and each differs from the others and from the whole', () => {
  const part = (category: string, description = '') => ({ ...emptySplit('EUR'), amount: '1', category, description });
  const other = { text: 'Market', id: null, chosenName: '' };
  const splits = [{ ...part('Food'), other }, part('Food'), part(''), part('Garden', 'Roses')];
  const body = toBody(typedIn({ description: '', splits }));

  expect(body.description).toBe('Market');
  expect(body.transactions?.map((split) => [split.description, split.destination_name])).toEqual([
    ['Food (1)', 'Market'],
    ['Food (2)', 'Market'],
    ['Market (3)', 'Market'],
    ['Roses', 'Market'],
  ]);
});
