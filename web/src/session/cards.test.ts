import { expect, test } from 'vitest';
import { CARDS, completeCards, mergeReports, reportsIn, type Card } from './cards';

const report = (name: string, query = '', shown = true): Card => ({
  ...{ card: 'report', report: 'spending' },
  ...{ name, query, shown },
});

test('what nobody has arranged comes last', () => {
  const bills: Card = { card: 'bills', shown: false, name: '', report: '', query: '' };
  expect(completeCards([bills]).map(({ card }) => card)).toEqual([
    'bills',
    ...CARDS.filter((name) => name !== 'bills'),
  ]);
});

test('a renamed report keeps its place, a deleted one goes, a new one comes last', () => {
  const bills: Card = { card: 'bills', shown: false, name: '', report: '', query: '' };
  const all = [report('Food', 'by=payee', false), bills, report('Fun')];
  expect(reportsIn(all)).toEqual([
    { name: 'Food', query: 'spending?by=payee' },
    { name: 'Fun', query: 'spending' },
  ]);
  const saved = [
    { name: 'Groceries', query: 'spending?by=payee' },
    { name: 'Worth', query: 'worth' },
  ];
  expect(mergeReports(all, saved)).toEqual([
    report('Groceries', 'by=payee', false),
    bills,
    { ...report('Worth'), report: 'worth' },
  ]);
  expect(mergeReports(all, [{ name: 'Food', query: 'worth' }])).toEqual([
    { ...report('Food', '', false), report: 'worth' },
    bills,
  ]);
});
