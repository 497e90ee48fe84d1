// Answers what was never asked while the server was there, from the transactions and lists that are kept.
import { parse } from '$/api/exact';
import type { Transaction } from '$/api/types';
import type { KeptAnswer } from './store';

interface Named {
  id: string;
  name: string;
  type?: string;
  currency_code?: string;
}
type Line = Transaction['attributes'];

const LIST = /^api\/v1\/transactions\?(.*&)?page=\d+/;
const SHOWN = 10;

/** Null where what is kept says nothing about it. */
export function deriveAnswer(url: string, all: KeptAnswer[]): KeptAnswer | null {
  const [path = '', query = ''] = url.split('?');
  const asked = new URLSearchParams(query);
  const lists = all.filter((kept) => LIST.test(kept.url));
  const lines = lists.flatMap((kept) => (parse(kept.text) as { data: Transaction[] }).data);
  const data = derive(path.replace('api/v1/', ''), asked, lines, all);
  if (data === null) return null;
  const id = path.split('/')[3];
  const [any] = lists.length ? lists : all;
  // An ETag names a state of the books, so that of a list protects a transaction in it, too.
  const from = lists.find(({ text }) => text.includes(`"id":"${id}"`)) ?? any!;
  return { place: from.place, url, text: JSON.stringify({ data }), etag: from.etag, at: from.at };
}

function derive(
  path: string,
  asked: URLSearchParams,
  lines: Transaction[],
  all: KeptAnswer[],
): unknown[] | object | null {
  const [noun, id, more] = path.split('/');
  if (noun === 'autocomplete') return suggest(id!, asked, lines, all);
  if (noun === 'transactions' && id && !more) {
    const journal = lines.find((line) => line.id === id)?.attributes.journal_id;
    return journal ? lines.filter(({ attributes }) => attributes.journal_id === journal) : null;
  }
  // None that are known of; a form that sends nothing about them changes nothing about them.
  if (noun === 'transactions' && more === 'piggy_bank_events') return [];
  if (noun === 'accounts' && id && more === 'transactions')
    return lines.filter(({ attributes: one }) => [one.source_id, one.destination_id].map(String).includes(id));
  if (noun === 'accounts' && id && !more) return findAccount(id, lines, all);
  return null;
}

function suggest(noun: string, asked: URLSearchParams, lines: Transaction[], all: KeptAnswer[]): unknown[] | null {
  const query = (asked.get('query') ?? '').trim().toLowerCase();
  if (noun === 'descriptions') return suggestDescriptions(query, asked, lines);
  const names = noun === 'accounts' ? listAccounts(asked.get('type') ?? '', lines, all) : listNames(noun, all);
  const found = names.filter(({ name }) => name.toLowerCase().includes(query));
  return found.sort((one, other) => Number(begins(other, query)) - Number(begins(one, query))).slice(0, SHOWN);
}

const begins = ({ name }: Named, query: string): boolean => name.toLowerCase().startsWith(query);

/** All names of suggestions that were ever read, each once. */
function listNames(noun: string, all: KeptAnswer[], type: string | null = null): Named[] {
  const found = new Map<string, Named>();
  for (const { url, text } of all) {
    if (!url.startsWith(`api/v1/autocomplete/${noun}`)) continue;
    if (type !== null && new URLSearchParams(url.split('?')[1]).get('type') !== type) continue;
    for (const named of (parse(text) as { data: Named[] }).data) found.set(named.id, named);
  }
  return [...found.values()];
}

function listAccounts(type: string, lines: Transaction[], all: KeptAnswer[]): Named[] {
  const known = new Map(listNames('accounts', all, type).map((named) => [named.id, named]));
  for (const { attributes: line } of lines) {
    const isPayee = type === 'expense' && line.type === 'Withdrawal';
    if (!isPayee && !(type === 'revenue' && line.type === 'Deposit')) continue;
    const other = otherOf(line);
    if (!known.has(other.id)) known.set(other.id, { ...other, type: '', currency_code: line.currency_code });
  }
  return [...known.values()];
}

const otherOf = (line: Line): Named =>
  line.type === 'Deposit'
    ? { id: String(line.source_id), name: line.source_name }
    : { id: String(line.destination_id), name: line.destination_name };

function suggestDescriptions(query: string, asked: URLSearchParams, lines: Transaction[]): unknown[] {
  const type = asked.get('type');
  const found = new Map<string, unknown>();
  for (const { id, attributes: line } of lines) {
    if (type && line.type.toLowerCase() !== type) continue;
    const text = line.journal_description;
    if (!text.toLowerCase().includes(query) || found.has(text)) continue;
    found.set(text, {
      ...line,
      description: text,
      transaction_id: id,
      amount: String(line.amount),
      tags: line.tags ? line.tags.split(',') : [],
    });
  }
  return [...found.values()].slice(0, Number(asked.get('limit')) || SHOWN);
}

/** What a form has to know of an account. */
function findAccount(id: string, lines: Transaction[], all: KeptAnswer[]): object | null {
  const own = ['asset,liabilities', 'asset', 'liabilities'].flatMap((type) => listNames('accounts', all, type));
  const account =
    own.find((named) => named.id === id) ?? listAccounts('expense', lines, all).find((one) => one.id === id);
  return account ? { id, type: 'accounts', attributes: { ...account, active: true } } : null;
}
