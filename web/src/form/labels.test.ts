import { expect, test } from 'vitest';
import { replaceNames } from './labels';

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
