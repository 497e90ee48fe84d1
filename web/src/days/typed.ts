// Reads typed dates leniently, in the order of the user's region, and writes them in its format.
import { addDays, type Day } from './days';

type Part = 'day' | 'month' | 'year';

interface DateFormat {
  order: Part[];
  write: Intl.DateTimeFormat;
  /** The first letters of the months, folded, from January on: by the region and in English. */
  months: string[][];
  /** What the region calls yesterday, today and tomorrow, with their distance. */
  words: Map<string, number>;
}

const DIGITS = { numberingSystem: 'latn', calendar: 'gregory', timeZone: 'UTC' } as const;
const ENGLISH = 'en-GB';
/** Long enough to tell June from July. */
const MONTH_LETTERS_MIN = 3;
const OFFSET_DAYS_MAX = 36_600;
/** A year of two digits is at most this far in the future. */
const YEARS_AHEAD_MAX = 20;
const formats = new Map<string, DateFormat>();

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

function formatOf(locale: string): DateFormat {
  let known = formats.get(locale);
  if (!known) formats.set(locale, (known = makeFormat(locale)));
  return known;
}

function makeFormat(locale: string): DateFormat {
  const write = new Intl.DateTimeFormat(locale, { ...DIGITS, day: '2-digit', month: '2-digit', year: 'numeric' });
  const parts = write.formatToParts(0).map(({ type }) => type);
  const words = [locale, ENGLISH].flatMap((one) => {
    const relative = new Intl.RelativeTimeFormat(one, { numeric: 'auto' });
    return [-1, 0, 1].map((days) => [fold(relative.format(days, 'day')), days] as const);
  });
  return {
    order: parts.filter((type): type is Part => type === 'day' || type === 'month' || type === 'year'),
    write,
    months: [monthNames(locale), monthNames(ENGLISH)],
    words: new Map(words),
  };
}

function monthNames(locale: string): string[] {
  const format = new Intl.DateTimeFormat(locale, { ...DIGITS, day: 'numeric', month: 'long' });
  return Array.from({ length: 12 }, (_, month) => {
    const parts = format.formatToParts(Date.UTC(2000, month, 1));
    return fold(parts.find(({ type }) => type === 'month')?.value ?? '');
  });
}

/** `31/12/2026` in Great Britain, `12/31/2026` in the United States. */
export function writeDay(day: Day, locale: string): string {
  // Marks that set the direction of text would be typed by nobody.
  return formatOf(locale)
    .write.format(Date.parse(`${day}T00:00:00Z`))
    .replace(/[\u061c\u200e\u200f]/g, '');
}

/**
 * The day that was typed; null when it cannot be read.
 *
 * Besides whole dates: `today`, `-1` for yesterday, `15` for the 15th of this month, `3/4` and `3 April` of this year.
 */
export function parseDay(input: string, today: Day, locale: string): Day | null {
  const text = fold(input.trim()).replace(/[\u061c\u200e\u200f]/g, '');
  const format = formatOf(locale);
  const near = format.words.get(text);
  if (near !== undefined) return addDays(today, near);
  if (/^[+-]\d+$/.test(text)) return Math.abs(Number(text)) <= OFFSET_DAYS_MAX ? addDays(today, Number(text)) : null;
  const [year, month] = today.split('-').map(Number) as [number, number];
  const numbers = (text.match(/\d+/g) ?? []).map((digits) => ({ digits, value: Number(digits) }));
  const letters = text.replace(/[^\p{L}]+/gu, ' ').trim();
  // Some regions write a word for "year" behind a date of three numbers.
  if (letters && numbers.length < 3) return ofNamedMonth(numbers, findMonth(letters, format), today);
  if (!/^\d+([\s./-]+\d+){0,2}[\s.]*(\p{L}+\.?)?$/u.test(text)) return null;
  const [first, second, third] = numbers;
  if (!second) return toDay(year, month, first!.value);
  if (!third) return ofTwo(first!.value, second.value, format.order, year);
  return ofThree(numbers, format.order, today);
}

function findMonth(letters: string, { months }: DateFormat): number | null {
  const words = letters.split(' ').filter((word) => word.length >= MONTH_LETTERS_MIN);
  for (const names of months) {
    const at = names.findIndex((name) => words.some((word) => name.startsWith(word)));
    if (at >= 0) return at + 1;
  }
  return null;
}

interface TypedNumber {
  digits: string;
  value: number;
}

function ofNamedMonth(numbers: TypedNumber[], month: number | null, today: Day): Day | null {
  if (month === null || !numbers.length || numbers.length > 2) return null;
  const isYearFirst = numbers.length === 2 && numbers[0]!.digits.length === 4;
  const [day, year] = isYearFirst ? [numbers[1]!, numbers[0]!] : [numbers[0]!, numbers[1]];
  return toDay(year ? toYear(year, today) : Number(today.slice(0, 4)), month, day.value);
}

/** Day and month in the order of the region, or the other way round where only that is possible. */
function ofTwo(first: number, second: number, order: Part[], year: number): Day | null {
  const [day, month] = order.indexOf('day') < order.indexOf('month') ? [first, second] : [second, first];
  return toDay(year, month, day) ?? toDay(year, day, month);
}

function ofThree(numbers: TypedNumber[], order: Part[], today: Day): Day | null {
  const isYearFirst = numbers[0]!.digits.length === 4;
  const places: Part[] = isYearFirst ? ['year', 'month', 'day'] : order;
  const found = Object.fromEntries(places.map((part, at) => [part, numbers[at]!])) as Record<Part, TypedNumber>;
  const [year, month, day] = [toYear(found.year, today), found.month.value, found.day.value];
  return toDay(year, month, day) ?? (isYearFirst ? null : toDay(year, day, month));
}

function toYear({ digits, value }: TypedNumber, today: Day): number {
  if (digits.length > 2) return value;
  const century = Math.floor(Number(today.slice(0, 4)) / 100) * 100;
  const year = century + value;
  return year > Number(today.slice(0, 4)) + YEARS_AHEAD_MAX ? year - 100 : year;
}

/** Null for a day that does not exist, such as 31 April. */
function toDay(year: number, month: number, day: number): Day | null {
  if (year < 1000 || year > 9999) return null;
  const moment = new Date(Date.UTC(year, month - 1, day));
  const isReal = moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day;
  return isReal && month >= 1 ? moment.toISOString().slice(0, 10) : null;
}
