import { describe, expect, it } from 'vitest';
import { basisOf, filtersOf, rowsIn, shareOf, toSeries, type Breakdown, type ShownRow } from './breakdown';
import { parseChoice } from './choice';

const view = { range: '1M', newYear: '01-01' };

const row = (name: string, parts: string[], total: string, code = 'EUR'): unknown => ({
  row: 'label',
  id: name,
  name,
  amounts: [{ currency_code: code, currency_dp: 2, parts, total, average: '0', trend: null }],
});
const report = {
  data: [
    row('Home', ['0', '600'], '600'),
    row('Food', ['80.5', '20'], '100.5'),
    row('Bus', ['1', '2'], '3'),
    row('Abroad', ['9', '9'], '18', 'USD'),
  ],
} as unknown as Breakdown;

describe('a breakdown', () => {
  const rows = rowsIn(report, 'EUR', ({ name }) => name ?? '');
  it('has the rows of one currency, exactly', () => {
    expect(rows.map(({ name, parts, total }) => [name, parts, total])).toEqual([
      ['Home', [0n, 60000n], 60000n],
      ['Food', [8050n, 2000n], 10050n],
      ['Bus', [100n, 200n], 300n],
    ]);
  });
  it('draws the largest, and the others as one', () => {
    expect(toSeries(rows, 3, String).map(({ label }) => label)).toEqual(['Home', 'Food', 'Bus']);
    expect(toSeries(rows, 2, String)).toEqual([
      { label: 'Home', currency: 'EUR', decimals: 2, values: [0n, 60000n] },
      { label: '2', currency: 'EUR', decimals: 2, values: [8150n, 2200n], kind: 'other' },
    ]);
  });
  it('says the share of a whole', () => {
    expect([shareOf(1n, 3n), shareOf(-1n, 3n), shareOf(1n, 0n)]).toEqual([33.3, null, null]);
  });
  it('rounds a share', () => {
    expect([shareOf(398n, 10000n), shareOf(1n, 1n)]).toEqual([4, 100]);
  });
  it('says of which parts its average and its trend are', () => {
    const part = (month: string, complete: boolean, averaged: boolean) => ({
      ...{ start: `2026-${month}-01`, end: `2026-${month}-28`, complete, averaged },
    });
    const parts = [part('01', true, false), part('02', true, true), part('03', true, true), part('04', false, true)];
    expect(basisOf({ start: '', end: '', parts })).toEqual({
      average: { start: '2026-02-01', end: '2026-04-28' },
      trend: { last: parts[2], before: { start: '2026-01-01', end: '2026-02-28' } },
    });
    expect(basisOf({ start: '', end: '', parts: parts.slice(3) }).trend).toBeNull();
  });
  it('leads to the transactions that a row sums up, those of sub-categories and refunds included', () => {
    const choice = parseChoice(new URLSearchParams('start=2026-01-01&end=2026-01-31'), '2026-02-01', view);
    const [{ row }] = rowsIn(report, 'USD', () => '') as [ShownRow];
    const plain = { category_id: 'Abroad', flow: 'spent', start: '2026-01-01', end: '2026-01-31' };
    expect(filtersOf(row, choice)).toEqual(plain);
    expect(filtersOf(row, { ...choice, isFolded: false })).toEqual({ ...plain, children: 'apart' });
    expect(filtersOf({ ...row, row: 'none', id: null }, choice)).toMatchObject({ no_category: '1', flow: 'spent' });
    expect(filtersOf(row, { ...choice, by: 'tag', filters: { tag_id: '7' } })).toBeNull();
    expect(filtersOf(row, { ...choice, filters: { category_id: '7' } })).toMatchObject({ category_id: '7' });
  });
});
