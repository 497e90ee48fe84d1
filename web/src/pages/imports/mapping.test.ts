import { expect, test } from 'vitest';
import { changeField, findOpen, rolesOf, setRole, valueOf, withoutOpen, type Mapping } from './mapping';

const HEADER = ['Date', 'Text', 'text', 'Amount', ''];
const mapping: Mapping = {
  columns: { date: 'Date', amount: 'Amount' },
  encoding: 'UTF-8',
  delimiter: ',',
  quote: '"',
  decimal: '.',
  thousands: ',',
  date_order: 'dmy',
  header: true,
  preamble: 2,
  footer: 0,
  invert: false,
};

test('a change of a mark keeps everything else', () => {
  expect(changeField(mapping, 'decimal', ',')).toEqual({ ...mapping, decimal: ',' });
});

test('another delimiter lets everything that depends on it be detected again', () => {
  expect(changeField(mapping, 'delimiter', ';')).toEqual({ encoding: 'UTF-8', delimiter: ';' });
  expect(changeField(mapping, 'header', false)).toEqual({
    encoding: 'UTF-8',
    delimiter: ',',
    quote: '"',
    preamble: 2,
    header: false,
  });
});

test('a mapping that is sent leaves open questions open', () => {
  const questions = [{ field: 'date_order' as const, message: '', choices: ['dmy', 'mdy'] }];

  const sent = withoutOpen(mapping, questions);

  expect(sent).not.toHaveProperty('date_order');
  expect(sent.columns).toEqual(mapping.columns);
});

test('a mapping of an earlier import answers a question', () => {
  const questions = [{ field: 'date_order' as const, message: '', choices: ['dmy', 'mdy'] }];

  expect(findOpen(questions, mapping)).toEqual(questions);
  expect(findOpen(questions, { ...mapping, date_order: 'mdy' })).toEqual([]);
});

test('choices are text or yes and no', () => {
  expect([valueOf('mdy'), valueOf('true'), valueOf('false')]).toEqual(['mdy', true, false]);
});

test('columns are found by name, in any case, and by number', () => {
  const columns = { date: 'DATE ', description: ['Text', 2], amount: 'Amount', balance: 9 };

  expect(rolesOf(columns, HEADER, 5)).toEqual(['date', 'description', 'description', 'amount', '']);
  expect(rolesOf({ date: 0 }, [], 2)).toEqual(['date', '']);
});

test('a column is named if its name is unique, and numbered otherwise', () => {
  expect(setRole({}, HEADER, 0, 'date')).toEqual({ date: 'Date' });
  expect(setRole({}, HEADER, 1, 'payee')).toEqual({ payee: 1 });
  expect(setRole({}, HEADER, 4, 'notes')).toEqual({ notes: 4 });
});

test('a role for one column moves, a text takes several columns', () => {
  expect(setRole({ amount: 'Amount' }, HEADER, 4, 'amount')).toEqual({ amount: 4 });
  expect(setRole({ description: 1 }, HEADER, 2, 'description')).toEqual({ description: [1, 2] });
});

test('a column has one role, or none', () => {
  expect(setRole({ description: [1, 2] }, HEADER, 1, 'payee')).toEqual({ description: 2, payee: 1 });
  expect(setRole({ date: 'Date', amount: 'Amount' }, HEADER, 3, '')).toEqual({ date: 'Date' });
});
