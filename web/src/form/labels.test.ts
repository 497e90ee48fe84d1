import { expect, test } from 'vitest';
import { replaceNames, replaceOwnName } from './labels';

const labels: [string, string][] = [
  ['first_date', 'Not before'],
  ['repeat_until', 'Last planned day'],
  ['opening_balance', 'At first ($)'],
  ['opening_balance_date', 'Since'],
  ['date', 'Day'],
  ['nr_of_repetitions', ''],
];

test.each([
  ['The first date must be a date after 2026-11-16.', '“Not before” must be a date after 2026-11-16.'],
  [
    'The repeat until must be a date on or after first date.',
    '“Last planned day” must be a date on or after “Not before”.',
  ],
  [
    'The opening balance date field is required when opening balance is present.',
    '“Since” is required when “At first ($)” is present.',
  ],
  ['The date must be a date.', 'The date must be a date.'],
  ['The nr of repetitions must be a number.', 'The nr of repetitions must be a number.'],
])('%s', (text, expected) => {
  expect(replaceNames(text, labels)).toBe(expected);
});

test("without labels the API's text is unchanged", () => {
  expect(replaceNames('The first date is odd.', [])).toBe('The first date is odd.');
});

test.each([
  ['The title field is required.', 'title', 'Name', 'This is required.'],
  ['The first date field is required.', 'first_date', 'Not before', 'This is required.'],
  [
    'The transactions.0.source_id field is required, or source_name.',
    'transactions.0.source_id',
    'To',
    'This is required.',
  ],
  ['The to id field is required when to code is not present.', 'to_id', 'To', 'This is required.'],
  ['The currency field is required.', 'amount', 'Amount', 'The currency field is required.'],
  ['The title has already been taken.', 'title', 'Name', '“Name” has already been taken.'],
  ['The name may not be so long.', 'name', 'Name', 'The name may not be so long.'],
  ['The amount must be a number.', 'amount', 'Amount (EUR)', 'The amount must be a number.'],
  ['The titles are odd.', 'title', 'Name', 'The titles are odd.'],
])('the error of a field uses its label: %s', (text, name, label, expected) => {
  expect(replaceOwnName(text, name, label)).toBe(expected);
});
