import { expect, test } from 'vitest';
import { canCount, laterThan, pageAfter } from './jump';

const pagination = { total: 120, count: 50, per_page: 50, current_page: 1, total_pages: 3 };

test('what is newer than a day decides on which page it is', () => {
  expect([0, 49, 50, 119, 120, 500].map((later) => pageAfter(later, pagination))).toEqual([1, 1, 2, 3, 3, 3]);
  expect(pageAfter(0, { ...pagination, total: 0, total_pages: 1 })).toBe(1);
});

test('newer is what comes after the day, within the filters', () => {
  expect(laterThan({ type: 'deposit' }, '2026-02-28')).toEqual({ type: 'deposit', start: '2026-03-01' });
  expect(laterThan({ end: '2026-02-28' }, '2026-02-28')).toBeNull();
});

test('a search and a day long ago cannot be counted', () => {
  expect(canCount({}, '2026-01-01', '2026-11-15')).toBe(true);
  expect(canCount({ account_id: '3' }, '2026-01-01', '2026-11-15')).toBe(true);
  expect(canCount({ query: 'tea' }, '2026-01-01', '2026-11-15')).toBe(false);
  expect(canCount({}, '1990-01-01', '2026-11-15')).toBe(false);
});
