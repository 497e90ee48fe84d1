// Groups splits by transaction and transactions by day, with sums per currency.
import type { ExactNumber } from '$/api/exact';
import type { Transaction } from '$/api/types';
import type { Day } from '$/days/days';
import { sum, toUnits, type Sum } from '$/money/money';

export interface SplitGroup {
  /** The id of the first split, which addresses and requests use. */
  id: string;
  journal: number;
  lines: Transaction[];
  /** The lines that the filters of the list ask for: sums are of these. */
  matching: Transaction[];
}

export interface TransactionDay {
  day: Day;
  groups: SplitGroup[];
  sums: Sum[];
  /** The page begins or ends within this day, so another page may have more of it. */
  cut: boolean;
}

export function groupSplits(lines: Transaction[], others: ReadonlySet<string> = new Set()): SplitGroup[] {
  const found = new Map<number, Transaction[]>();
  for (const line of lines) {
    const journal = line.attributes.journal_id;
    const known = found.get(journal);
    if (known) known.push(line);
    else found.set(journal, [line]);
  }
  return [...found].map(([journal, of]) => {
    const ordered = of.toSorted((one, other) => one.attributes.identifier - other.attributes.identifier);
    return { id: ordered[0]!.id, journal, lines: ordered, matching: ordered.filter(({ id }) => !others.has(id)) };
  });
}

/** True for a line with a description of its own, which only the splits of a transaction have. */
export function hasSiblings({ attributes }: Transaction): boolean {
  return (
    Boolean(attributes.transaction_description) && attributes.transaction_description !== attributes.journal_description
  );
}

const MOVES_OUT = new Set(['Withdrawal', 'Deposit']);

/** The amount as shown in a list. In the list of an account a transfer has a sign; elsewhere it has none and does not count. */
export function amountSeenFrom(
  { attributes }: Transaction,
  from: string | null,
): { amount: ExactNumber; counts: boolean } {
  const { amount, type, source_id, destination_id } = attributes;
  if (MOVES_OUT.has(type)) return { amount, counts: true };
  if (from === null) return { amount, counts: false };
  const plain = String(amount).replace('-', '');
  if (String(source_id) === from) return { amount: `-${plain}`, counts: true };
  return { amount: plain, counts: String(destination_id) === from };
}

/** The names of where the money left and where it went, from all splits. */
export function partiesOf({ lines }: SplitGroup): [string, string] {
  const first = lines[0]!.attributes;
  const isDeposit = first.type === 'Deposit';
  const others = new Set(lines.map(({ attributes: one }) => (isDeposit ? one.source_name : one.destination_name)));
  const named = [...others].join(', ');
  return isDeposit ? [named, first.destination_name] : [first.source_name, named];
}

/** The currencies of accounts, by account id. */
export type Currencies = ReadonlyMap<string, string>;

/** The id of the user's own account in this line. */
export function ownAccountOf({ attributes }: Transaction, from: string | null): string | null {
  if (attributes.type === 'Withdrawal') return String(attributes.source_id);
  return attributes.type === 'Deposit' ? String(attributes.destination_id) : from;
}

/** The line in the currency of the user's account: dollars paid from an account in euros count in euros. */
function inAccountCurrency(line: Transaction, from: string | null, currencies: Currencies): Transaction {
  const {
    currency_code,
    foreign_amount: amount,
    foreign_currency_code,
    foreign_currency_dp: decimals,
  } = line.attributes;
  const code = currencies.get(ownAccountOf(line, from) ?? '');
  if (amount === null || decimals === null || !code || code === currency_code || code !== foreign_currency_code)
    return line;
  return { ...line, attributes: { ...line.attributes, amount, currency_code: code, currency_dp: decimals } };
}

export function sumLines(lines: Transaction[], from: string | null, currencies: Currencies): Sum[] {
  const found = new Map<string, Sum>();
  for (const line of lines.map((one) => inAccountCurrency(one, from, currencies))) {
    const { currency_code: code, currency_dp: decimals } = line.attributes;
    const { amount, counts } = amountSeenFrom(line, from);
    if (!counts) continue;
    const before = found.get(code);
    found.set(code, { code, decimals, units: (before?.units ?? 0n) + toUnits(amount, decimals) });
  }
  return [...found.values()];
}

/** The sum of a transaction per currency, with the sign of its lines. */
export function totals({ matching: lines }: Pick<SplitGroup, 'matching'>, from: string | null = null): Sum[] {
  const codes = new Map(lines.map(({ attributes }) => [attributes.currency_code, attributes.currency_dp]));
  return [...codes].map(([code, decimals]) => {
    const amounts = lines
      .filter(({ attributes }) => attributes.currency_code === code)
      .map((line) => amountSeenFrom(line, from).amount);
    return { code, decimals, units: sum(amounts, decimals) };
  });
}

export interface PageEdges {
  first: boolean;
  last: boolean;
}

export function groupByDay(
  all: SplitGroup[],
  from: string | null,
  edges: PageEdges,
  currencies: Currencies,
): TransactionDay[] {
  const days = new Map<Day, SplitGroup[]>();
  for (const group of all) {
    const day = group.lines[0]!.attributes.date;
    const known = days.get(day);
    if (known) known.push(group);
    else days.set(day, [group]);
  }
  return [...days].map(([day, of], at) => {
    const cut = (at === 0 && !edges.first) || (at === days.size - 1 && !edges.last);
    return {
      day,
      groups: of,
      sums: sumLines(
        of.flatMap(({ matching }) => matching),
        from,
        currencies,
      ),
      cut,
    };
  });
}
