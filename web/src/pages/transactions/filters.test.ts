import { expect, test } from 'vitest';
import { toQuery, parseFilters, isUnfiltered, isSearch, range } from './filters';

const TODAY = '2026-11-15';

test('the address is read, and nothing else', () => {
  expect(parseFilters(new URLSearchParams('query=%20corner%20&type=&account_id=7&page=3&other=1'))).toEqual({
    query: 'corner',
    account_id: '7',
  });
});

test('what cannot be meant is passed over', () => {
  expect(parseFilters(new URLSearchParams('start=junk&end=2026-13-40&account_id=x&category_id=7'))).toEqual({
    category_id: '7',
  });
});

test('type and days are a plain list, the rest a search', () => {
  expect(isSearch({ type: 'deposit', start: '2024-01-01', end: '2024-01-31' })).toBe(false);
  expect(isSearch({ type: 'deposit', tag_id: '3' })).toBe(true);
  expect(isUnfiltered({})).toBe(true);
  expect(isUnfiltered({ type: 'deposit' })).toBe(false);
});

test('a range that is open at one side is closed for the API', () => {
  expect(range({ start: '2026-01-01' }, TODAY)).toEqual({ start: '2026-01-01', end: '2045-12-01' });
  expect(range({ start: '2027-01-01' }, TODAY)).toEqual({ start: '2027-01-01', end: '2046-12-01' });
  expect(range({ end: '2026-01-31' }, TODAY)).toEqual({ start: '2006-02-28', end: '2026-01-31' });
  expect(range({}, TODAY)).toEqual({});
});

test('of more days than the API takes the newest are asked for', () => {
  expect(range({ start: '1990-01-01' }, TODAY)).toEqual({ start: '2007-12-15', end: '2027-11-15' });
  expect(range({ start: '1980-01-01', end: '2010-12-31' }, TODAY)).toEqual({ start: '1991-01-31', end: '2010-12-31' });
});

test('amounts may be typed as people do', () => {
  expect(toQuery({ amount_min: '1.234,50', category_id: '3', query: 'rent' }, TODAY)).toEqual({
    amount_min: '1234.50',
    category_id: 3,
    query: 'rent',
  });
});
