// The links of a transaction to others, each in the words of its type.
import { get, post, type Answer } from '$/api/client';
import { search } from '$/api/search';
import type { Transaction } from '$/api/types';
import { showFrom } from '$/days/days';
import { t } from '$/messages';
import { show } from '$/money/money';
import { session } from '$/session/session.svelte';
import { look } from '$/shell/look.svelte';
import type { Choice } from '$/form/choices';
import { groupSplits, totals, type SplitGroup } from './group';

export interface LinkedTransaction {
  id: string;
  /** How the shown transaction describes the link, such as “is refunded by”. */
  words: string;
  other: SplitGroup;
}

/** The id of a type and the end of the link at which the shown transaction is, such as `2 inward`. */
export type LinkChoice = string;

/** Among the built-in types, which have the same ids everywhere, the one of refunds. */
const REFUND = 2;
export const IS_REFUNDED: LinkChoice = `${REFUND} inward`;
export const REFUNDS: LinkChoice = `${REFUND} outward`;

export async function loadLinks(id: string, signal: AbortSignal): Promise<LinkedTransaction[]> {
  const query = { include: ['transactions' as const], limit: 1000 };
  const { data, included } = await get('/api/v1/transactions/{id}/links', { path: { id }, query, signal });
  const groups = groupSplits((included ?? []) as unknown as Transaction[]);
  const groupOf = (split: number): SplitGroup =>
    groups.find(({ lines }) => lines.some((line) => line.id === String(split)))!;
  return data.map(({ id: link, attributes: { inward, outward, inward_id, outward_id } }) => {
    const [from, to] = [groupOf(inward_id), groupOf(outward_id)];
    const isFrom = from.lines.some((line) => line.id === id);
    return { id: link, words: isFrom ? inward : outward, other: isFrom ? to : from };
  });
}

export async function loadLinkChoices(signal: AbortSignal): Promise<Choice[]> {
  const { data } = await get('/api/v1/link_types', { query: { limit: 1000 }, signal });
  return data.flatMap(({ id, attributes: { inward, outward } }) => [
    { value: `${id} inward`, text: inward },
    ...(inward === outward ? [] : [{ value: `${id} outward`, text: outward }]),
  ]);
}

export function linkTo(other: string, id: string, choice: LinkChoice): Promise<Answer<unknown>> {
  const [type, end] = choice.split(' ');
  const [inward_id, outward_id] = end === 'inward' ? [id, other] : [other, id];
  return post('/api/v1/transaction_links', { link_type_id: type, inward_id, outward_id });
}

export interface TransactionSuggestion {
  id: string;
  text: string;
  hint: string;
}

const SUGGESTED = 10;

/** Words, days and amounts, as in the line above the list; a word that means something there, such as “deposit”, may be meant as one. */
async function findTyped(typed: string, signal: AbortSignal): Promise<Transaction[]> {
  const found = await search({ q: typed, limit: SUGGESTED }, signal);
  return found.data.length ? found.data : (await search({ query: typed, limit: SUGGESTED }, signal)).data;
}

/** Suggests transactions for what is typed; before anything is typed, the latest. */
export function suggestOthers(journal: number) {
  return async (typed: string, signal: AbortSignal): Promise<TransactionSuggestion[]> => {
    const data = typed.trim()
      ? await findTyped(typed, signal)
      : (await get('/api/v1/transactions', { query: { limit: SUGGESTED }, signal })).data;
    return groupSplits(data)
      .filter((group) => group.journal !== journal)
      .map((group) => {
        const { journal_description, date } = group.lines[0]!.attributes;
        const day = showFrom(session.today, date, session.locale, 'short');
        const amounts = totals(group).map(({ units, ...currency }) =>
          show(units < 0n ? -units : units, currency, session.locale),
        );
        return {
          id: group.id,
          text: journal_description,
          hint: [day, ...(look.hidden ? [] : amounts)].join(t.transactions.links.between),
        };
      });
  };
}
