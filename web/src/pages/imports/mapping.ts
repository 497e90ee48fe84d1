// The mapping of a CSV file: which column has which role, and how the file is written. Pure.

/** The name of a column in the header, or its index from 0. */
export type Column = string | number;
export type Columns = Record<string, Column | Column[]>;

export interface Mapping {
  columns: Columns;
  encoding: string;
  delimiter: string;
  quote: string;
  decimal: string;
  thousands: string;
  date_order: string;
  header: boolean;
  preamble: number;
  footer: number;
  invert: boolean;
}
export type MappingField = keyof Mapping;

export interface Question {
  field: MappingField;
  message: string;
  /** The values that fit, the proposed one first. */
  choices: string[];
}

/** What was found out about the file. */
export interface Detected {
  header: string[];
  rows: string[][];
  questions: Question[];
}

export function readDetected(detected: Record<string, unknown>): Detected {
  const { header = [], rows = [], questions = [] } = detected as Partial<Detected>;
  return { header, rows, questions };
}

/** Roles that may take several columns. */
const SEVERAL = new Set(['description', 'payee', 'payer', 'notes', 'tags']);
/** Each of them decides how the ones after it, and everything else, have to be read. */
const STRUCTURE: MappingField[] = ['encoding', 'delimiter', 'quote', 'preamble', 'header'];

/** The mapping to send after a change. What has to be detected again is omitted. */
export function changeField(mapping: Partial<Mapping>, field: MappingField, value: unknown): Partial<Mapping> {
  const at = STRUCTURE.indexOf(field);
  const before = new Set<string>(STRUCTURE.slice(0, at < 0 ? 0 : at));
  const kept = Object.entries(mapping).filter(([name]) => at < 0 || before.has(name));
  return { ...(Object.fromEntries(kept) as Partial<Mapping>), [field]: value };
}

/** A question stays open until the value differs from the proposed one, as that of an earlier import may, or is sent. */
export function findOpen(questions: Question[], mapping: Mapping): Question[] {
  return questions.filter(({ field, choices }) => String(mapping[field]) === choices[0]);
}

/** Without the fields of open questions: to send these would answer them. */
export function withoutOpen(mapping: Partial<Mapping>, questions: Question[]): Partial<Mapping> {
  const open = new Set<string>(questions.map(({ field }) => field));
  return Object.fromEntries(Object.entries(mapping).filter(([name]) => !open.has(name)));
}

/** The value of a question's choice: the API lists all of them as text. */
export function valueOf(choice: string): string | boolean {
  return choice === 'true' || choice === 'false' ? choice === 'true' : choice;
}

export function countColumns({ header, rows }: Detected): number {
  return Math.max(header.length, ...rows.map((row) => row.length), 0);
}

const fold = (name: string): string => name.trim().toLowerCase();

/** The API ignores case when it looks for a column; so does this. */
function indexOf(column: Column, header: string[]): number {
  if (typeof column === 'number') return column;
  const exact = header.findIndex((name) => name.trim() === column.trim());
  return exact >= 0 ? exact : header.findIndex((name) => fold(name) === fold(column));
}

/** By name where the header has that name once, so that the mapping fits the next file, too. */
function nameOf(index: number, header: string[]): Column {
  const name = fold(header[index] ?? '');
  const isUnique = name !== '' && header.filter((other) => fold(other) === name).length === 1;
  return isUnique ? header[index]!.trim() : index;
}

const listed = (columns: Column | Column[] | undefined): Column[] =>
  columns === undefined || columns === null ? [] : [columns].flat();

/** The role of each column, empty for those that are not imported. */
export function rolesOf(columns: Columns, header: string[], width: number): string[] {
  const roles = Array.from({ length: width }, () => '');
  for (const [role, given] of Object.entries(columns))
    for (const column of listed(given)) {
      const index = indexOf(column, header);
      if (index in roles) roles[index] ||= role;
    }
  return roles;
}

/** Gives a column another role. A role for one column leaves the column that had it. */
export function setRole(columns: Columns, header: string[], index: number, role: string): Columns {
  const changed: Columns = {};
  for (const [name, given] of Object.entries(columns)) {
    const left = listed(given).filter((column) => indexOf(column, header) !== index);
    const stays = name === role && !SEVERAL.has(role) ? [] : left;
    if (stays.length) changed[name] = stays.length > 1 ? stays : stays[0]!;
  }
  if (role) {
    const all = [...listed(changed[role]), nameOf(index, header)];
    changed[role] = all.length > 1 ? all : all[0]!;
  }
  return changed;
}
