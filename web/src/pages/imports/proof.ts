// The proof of a move as tables to read and print, whatever the report holds.
import { seldom } from '$/messages/seldom';

export interface ProofTable {
  title: string;
  columns: string[];
  rows: string[][];
}

export interface Proof {
  facts: { name: string; value: string }[];
  tables: ProofTable[];
}

type Values = Record<string, unknown>;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** A newer server may name more: `balance_here` is “Balance here”. */
export function toWords(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return seldom.imports.proof.names[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

function write(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(write).join(', ');
  if (isObject(value))
    return Object.entries(value)
      .map(([name, item]) => `${toWords(name)}: ${write(item)}`)
      .join('; ');
  return typeof value === 'boolean' ? (value ? '✓' : '✗') : String(value);
}

/** A list of objects becomes a table with a column for every name, an object one with a row for every name. */
function toTable(title: string, value: unknown): ProofTable | null {
  if (Array.isArray(value) && value.length && value.every(isObject)) {
    const names = [...new Set(value.flatMap((item) => Object.keys(item)))];
    return {
      title,
      columns: names.map(toWords),
      rows: value.map((item) => names.map((name) => write(item[name]))),
    };
  }
  if (!isObject(value) || !Object.keys(value).length) return null;
  const entries = Object.entries(value);
  if (!entries.every(([, item]) => isObject(item)))
    return { title, columns: [], rows: entries.map(([name, item]) => [toWords(name), write(item)]) };
  const names = [...new Set(entries.flatMap(([, item]) => Object.keys(item as Values)))];
  return {
    title,
    columns: ['', ...names.map(toWords)],
    rows: entries.map(([name, item]) => [toWords(name), ...names.map((each) => write((item as Values)[each]))]),
  };
}

export function readProof(report: Values): Proof {
  const proof: Proof = { facts: [], tables: [] };
  for (const [name, value] of Object.entries(report)) {
    const table = isPlain(value) ? null : toTable(toWords(name), value);
    if (table) proof.tables.push(table);
    else if (write(value)) proof.facts.push({ name: toWords(name), value: write(value) });
  }
  return proof;
}
