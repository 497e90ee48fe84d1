// The cards of the dashboard: their order, which of them are shown, and saved reports among them.
import type { Answer } from '$/api/client';
import { changePreference, listIn } from './preferences';

/** What was saved under a name; `query` is what follows the name of the page in the address. */
export interface Named {
  name: string;
  query: string;
}

export const CARDS = ['figures', 'net_worth', 'bills', 'recent', 'accounts', 'coming'] as const;
export type CardName = (typeof CARDS)[number];

/** Only reports have a name, a report such as `spending`, and a query. */
export interface Card {
  card: CardName | 'report';
  shown: boolean;
  name: string;
  report: string;
  query: string;
}

const PREFERENCE = 'dashboardCards';

/** What the user has not arranged comes last, in its usual order. */
export function completeCards(stored: Card[]): Card[] {
  const missing = CARDS.filter((name) => !stored.some(({ card }) => card === name));
  return [...stored, ...missing.map((card) => ({ card, shown: true, name: '', report: '', query: '' }))];
}

export const cards = (): Card[] => completeCards(listIn<Card>(PREFERENCE));

export function changeCards(change: (all: Card[]) => Card[]): Promise<Answer<unknown>> {
  return changePreference<Card>(PREFERENCE, (stored) => change(completeCards(stored)));
}

/** Tells a card from all others. */
export const keyOf = ({ card, name }: Card): string => (card === 'report' ? `report ${name}` : card);

export function reportsIn(all: Card[]): Named[] {
  return all
    .filter(({ card }) => card === 'report')
    .map(({ name, report, query }) => ({ name, query: query ? `${report}?${query}` : report }));
}

/** A report that was renamed or replaced keeps its place; a new one comes last. */
export function mergeReports(all: Card[], reports: Named[]): Card[] {
  const before = reportsIn(all);
  const findOld = ({ name, query }: Named): string | undefined =>
    (
      before.find((one) => one.name === name) ??
      before.find((one) => one.query === query && !reports.some((other) => other.name === one.name))
    )?.name;
  const byOld = new Map(reports.map((one) => [findOld(one), one]));
  const kept = all.flatMap((card) => {
    const report = card.card === 'report' ? byOld.get(card.name) : undefined;
    if (card.card !== 'report') return [card];
    return report ? [{ ...card, ...split(report) }] : [];
  });
  const added = reports.filter((one) => findOld(one) === undefined);
  return [...kept, ...added.map((one) => ({ card: 'report' as const, shown: true, ...split(one) }))];
}

function split({ name, query }: Named): Pick<Card, 'name' | 'report' | 'query'> {
  const at = query.indexOf('?');
  return at < 0 ? { name, report: query, query: '' } : { name, report: query.slice(0, at), query: query.slice(at + 1) };
}
