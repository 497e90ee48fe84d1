import { expect, test } from 'vitest';
import { countFilters, toQuery, parseFilters, isUnfiltered, isSearch, range } from './filters';

const TODAY = '2026-11-15';

test('only known filters are read from the address', () => {
  expect(parseFilters(new URLSearchParams('query=%20corner%20&type=&account_id=7&page=3&other=1'))).toEqual({
    query: 'corner',
    account_id: '7',
  });
});

test('invalid filters are ignored', () => {
  expect(parseFilters(new URLSearchParams('start=junk&end=2026-13-40&account_id=x&category_id=7'))).toEqual({
    category_id: '7',
  });
});

test('sub-categories are part of a filter by category, until they are switched off', () => {
  const apart = { category_id: '7', children: 'apart' };
  expect(parseFilters(new URLSearchParams(apart))).toEqual(apart);
  expect(parseFilters(new URLSearchParams('children=apart'))).toEqual({});
  expect(countFilters(apart)).toBe(1);
  expect(toQuery(apart, TODAY)).toEqual({ category_id: 7 });
  expect(toQuery({ category_id: '7' }, TODAY)).toEqual({ category_id: 7, children: 'fold' });
});

test('type and days use the plain list, other filters the search', () => {
  expect(isSearch({ type: 'deposit', start: '2024-01-01', end: '2024-01-31' })).toBe(false);
  expect(isSearch({ type: 'deposit', tag_id: '3' })).toBe(true);
  expect(isUnfiltered({})).toBe(true);
  expect(isUnfiltered({ type: 'deposit' })).toBe(false);
});

test('a range with one day gets both days for the API', () => {
  expect(range({ start: '2026-01-01' }, TODAY)).toEqual({ start: '2026-01-01', end: '2045-12-01' });
  expect(range({ start: '2027-01-01' }, TODAY)).toEqual({ start: '2027-01-01', end: '2046-12-01' });
  expect(range({ end: '2026-01-31' }, TODAY)).toEqual({ start: '2006-02-28', end: '2026-01-31' });
  expect(range({}, TODAY)).toEqual({});
});

test('a range that is too long is shortened to its newest days', () => {
  expect(range({ start: '1990-01-01' }, TODAY)).toEqual({ start: '2007-12-15', end: '2027-11-15' });
  expect(range({ start: '1980-01-01', end: '2010-12-31' }, TODAY)).toEqual({ start: '1991-01-31', end: '2010-12-31' });
});

test('amounts may be typed in any notation', () => {
  expect(toQuery({ amount_min: '1.234,50', category_id: '3', query: 'rent' }, TODAY)).toEqual({
    amount_min: '1234.50',
    category_id: 3,
    children: 'fold',
    query: 'rent',
  });
});
