// The inbox cut into pages, and what is suggested for a group or a single transaction of it. Pure.
import type { InboxGroup, InboxTransaction, Pagination, Suggested, Suggestion } from '$/api/types';
import { t } from '$/messages';

/** As many as the API makes suggestions for at once. */
export const PAGE_MAX = 100;

/** A group, or the part of it that fits a page; `count` is that of the whole group. */
export type Part = InboxGroup & { cut: number };

/** Fills pages with whole groups where possible. Larger groups are cut. */
export function toPages(groups: InboxGroup[]): Part[][] {
  const pages: Part[][] = [];
  let room = 0;
  for (const group of groups)
    for (let at = 0; at < group.transactions.length; at += PAGE_MAX) {
      const transactions = group.transactions.slice(at, at + PAGE_MAX);
      if (transactions.length > room) {
        pages.push([]);
        room = PAGE_MAX;
      }
      pages.at(-1)!.push({ ...group, transactions, cut: at });
      room -= transactions.length;
    }
  return pages;
}

/** An address beyond the last page shows the last, because accepting makes pages disappear. */
export function paginate(pages: Part[][], page: number): Pagination {
  const current = Math.min(page, Math.max(pages.length, 1));
  const total = pages.flat().reduce((sum, { transactions }) => sum + transactions.length, 0);
  const count = pages[current - 1]?.reduce((sum, { transactions }) => sum + transactions.length, 0) ?? 0;
  return { total, count, per_page: PAGE_MAX, current_page: current, total_pages: pages.length };
}

export const keyOf = ({ type, payee_name, cut }: Part): string => `${type} ${payee_name} ${cut}`;

/** The transactions that one key acts on: those of a group, or a single one. */
export interface Scope {
  key: string;
  payee: string;
  of: InboxTransaction[];
}

export const hasLabels = ({ category, budget, tags, refund }: Suggestion): boolean =>
  category !== null || budget !== null || tags.length > 0 || refund !== null;

/** What would be set, as words: refunds, the categories with their counts if they differ, then budgets and tags. */
export interface Summary {
  names: string;
  confidence: number;
  because: Suggested['because'];
}

const words = t.inbox;

export function summarize(suggestions: Suggestion[]): Summary | null {
  const labels = suggestions.flatMap(({ category, budget, tags, refund }) => [
    refund && { confidence: refund.confidence, because: [refund.purchase] },
    category,
    budget,
    ...tags,
  ]);
  const some = labels.filter((label) => label !== null);
  if (!some.length) return null;
  const named = [
    ...counted(suggestions.map(({ refund }) => refund && words.refund(refund.purchase.description))),
    ...counted(suggestions.map(({ category }) => category?.name)),
    ...counted(suggestions.map(({ budget }) => budget && words.budget(budget.name))),
    ...counted(suggestions.flatMap(({ tags }) => tags.map(({ name }) => `#${name}`))),
  ];
  const because = new Map(some.flatMap((label) => label.because).map((one) => [one.transaction_id, one]));
  return {
    names: named
      .map(([name, count]) => (count < suggestions.length && suggestions.length > 1 ? `${name} (${count})` : name))
      .join(', '),
    confidence: Math.min(...some.map(({ confidence }) => Number(confidence))),
    because: [...because.values()].slice(0, 3),
  };
}

function counted(names: (string | null | undefined)[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}
