import { expect, test } from 'vitest';
import { dayTicks, domainOf, nearest, partTicks, roundTicks } from './scale';
import { areaPath, stackUp } from './bars';
import { changeAt, colourOf, countUnbooked, cutFuture, showPart, stepOf, type Series } from './series';

const texts = (ticks: { text: string; year: string }[]): string[] =>
  ticks.map(({ text, year }) => (year ? `${text}/${year}` : text));

test('the marks of an axis are round and enclose the values', () => {
  expect(roundTicks(0, 97, 4)).toEqual([0, 25, 50, 75, 100]);
  expect(roundTicks(-80_200, -63_000, 4)).toEqual([-85_000, -80_000, -75_000, -70_000, -65_000, -60_000]);
  expect(roundTicks(0, 0, 4)[0]).toBeLessThanOrEqual(0);
  expect(roundTicks(0.1, 0.4, 3)).toEqual([0.1, 0.2, 0.3, 0.4]);
});

test('zero belongs to an axis unless the values are far from it', () => {
  expect(domainOf([20, 100])).toEqual([0, 100]);
  expect(domainOf([80, 100])).toEqual([80, 100]);
  expect(domainOf([-100, -20])).toEqual([-100, 0]);
  expect(domainOf([80, 100], true)).toEqual([0, 100]);
});

test('a long axis shows years', () => {
  expect(texts(dayTicks('2021-11-18', '2026-11-17', 8, 'en-US'))).toEqual(['2022', '2023', '2024', '2025', '2026']);
  expect(texts(dayTicks('2006-11-18', '2026-11-17', 6, 'en-US'))).toEqual(['2010', '2015', '2020', '2025']);
});

test('a short axis shows the year where it begins and where it changes', () => {
  expect(texts(dayTicks('2025-11-18', '2026-11-17', 7, 'en-US'))).toEqual([
    'Jan/2026',
    'Mar',
    'May',
    'Jul',
    'Sep',
    'Nov',
  ]);
  expect(texts(dayTicks('2025-12-20', '2026-01-20', 6, 'en-US'))).toEqual([
    'Dec 22/2025',
    'Dec 29',
    'Jan 5/2026',
    'Jan 12',
    'Jan 19',
  ]);
  expect(texts(dayTicks('1999-12-30', '2000-01-02', 6, 'en-US'))).toHaveLength(4);
});

test('parts have a mark in their middle, and only as many as fit', () => {
  const months = ['2025-11', '2025-12', '2026-01', '2026-02'].map((month) => ({
    start: `${month}-01`,
    end: `${month}-28`,
  }));
  expect(texts(partTicks(months, 9, 'en-US'))).toEqual(['Nov/2025', 'Dec', 'Jan/2026', 'Feb']);
  expect(texts(partTicks(months, 2, 'en-US'))).toEqual(['Nov/2025', 'Jan/2026']);
  expect(partTicks(months, 9, 'en-US')[0]!.at).toBe(0.125);
});

test('the nearest point is found', () => {
  expect([0, 0.2, 0.31, 0.9].map((x) => nearest([0, 0.3, 1], x))).toEqual([0, 1, 1, 2]);
  expect(nearest([0.5], 0.9)).toBe(0);
});

const series = (...values: (bigint | null)[]): Series => ({ label: 'x', currency: 'EUR', decimals: 2, values });

test('there is no line before the first booking', () => {
  expect(countUnbooked([series(0n, 0n, 5n, 0n)])).toBe(2);
  expect(countUnbooked([series(0n, 0n), series(null, 1n)])).toBe(1);
  expect(countUnbooked([series(0n, 0n)])).toBe(2);
});

test('there is nothing for days to come, instead of zero', () => {
  const parts = ['2026-10-01', '2026-11-01', '2026-12-01'].map((start) => ({ start, end: start }));
  const cut = (today: string) => cutFuture([series(3n, 4n, 0n)], parts, today)[0]!.values;
  expect(cut('2026-11-19')).toEqual([3n, 4n, null]);
  expect(cut('2027-01-01')).toEqual([3n, 4n, 0n]);
  expect(cut('2026-01-01')).toEqual([3n, 4n, 0n]);
});

test('what has no label is grey', () => {
  expect([colourOf({ kind: 'none' }, 2), colourOf({ kind: 'other' }, 2), colourOf({}, 9)]).toEqual([
    'data-none',
    'data-6',
    'data-2',
  ]);
});

test('a change needs two points', () => {
  expect(changeAt(series(3n, 5n), 1)).toBe(2n);
  expect(changeAt(series(3n, 5n), 0)).toBeNull();
  expect(changeAt(series(null, 5n), 1)).toBeNull();
});

test('sampling is read off the days', () => {
  expect(stepOf(['2026-01-01', '2026-01-02'])).toBe('day');
  expect(stepOf(['2026-01-04', '2026-01-11', '2026-01-13'])).toBe('week');
  expect(stepOf(['2025-12-31', '2026-01-31', '2026-02-28'])).toBe('month');
  expect(stepOf(['2025-03-31', '2025-06-30', '2025-09-30'])).toBe('quarter');
  expect(stepOf(['2024-12-31', '2025-12-31'])).toBe('year');
});

test('a part is named as people call it', () => {
  expect(showPart({ start: '2026-11-01', end: '2026-11-30' }, 'en-US')).toBe('November 2026');
  expect(showPart({ start: '2026-01-01', end: '2026-12-31' }, 'en-US')).toBe('2026');
  expect(showPart({ start: '2026-11-02', end: '2026-11-08' }, 'en-US')).toBe('Nov 2 – Nov 8, 2026');
  expect(showPart({ start: '2026-11-02', end: '2026-11-02' }, 'en-US')).toBe('Nov 2, 2026');
});

test('what is owned is stacked above zero and what is owed below', () => {
  expect(stackUp([[10], [-4], [5], [-1]])).toEqual([
    [{ from: 0, to: 10 }],
    [{ from: 0, to: -4 }],
    [{ from: 10, to: 15 }],
    [{ from: -4, to: -5 }],
  ]);
  expect(
    areaPath(
      [{ from: 0, to: 2 }],
      (at) => at,
      (height) => height,
    ),
  ).toBe('M0.0 2.0L0.0 0.0Z');
});
