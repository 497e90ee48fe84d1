// Where things are on a chart: round numbers on its height, days on its width.
import { addDays, addMonths, daysBetween, show as showDay, type Day } from '$/days/days';
import type { Part } from './series';

/** Round numbers from `low` to `high`, about `count` of them; the first and the last enclose both. */
export function roundTicks(low: number, high: number, count: number): number[] {
  const span = high - low || Math.abs(high) || 1;
  const rough = span / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough * 0.999)!;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(Math.ceil(high / step - 1e-9), first + 1);
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** The lowest and the highest value; zero belongs to it unless the values are far from it. */
export function domainOf(heights: number[], always0 = false): [number, number] {
  let [low, high] = [Math.min(...heights), Math.max(...heights)];
  if (always0 || low === high || (low > 0 && low < high * 0.6)) low = Math.min(low, 0);
  if (always0 || (high < 0 && high > low * 0.6)) high = Math.max(high, 0);
  return [low, high];
}

export interface Tick {
  /** From 0 to 1, across the chart. */
  at: number;
  text: string;
  /** Shown below the text at the first tick and wherever the year changes. */
  year: string;
}

const STEPS: { unit: 'day' | 'month' | 'year'; count: number; days: number }[] = [
  { unit: 'day', count: 1, days: 1 },
  { unit: 'day', count: 2, days: 2 },
  { unit: 'day', count: 7, days: 7 },
  { unit: 'day', count: 14, days: 14 },
  { unit: 'month', count: 1, days: 30.4 },
  { unit: 'month', count: 2, days: 60.8 },
  { unit: 'month', count: 3, days: 91.3 },
  { unit: 'month', count: 6, days: 182.6 },
  { unit: 'year', count: 1, days: 365.2 },
  { unit: 'year', count: 2, days: 730.5 },
  { unit: 'year', count: 5, days: 1826 },
];
const MONDAY = '2001-01-01';

/** Shows the year only where it is another than before. */
function withYears(found: { at: number; day: Day; text: string }[]): Tick[] {
  return found.map(({ at, day, text }, number) => {
    const year = day.slice(0, 4);
    return { at, text, year: text !== year && found[number - 1]?.day.slice(0, 4) !== year ? year : '' };
  });
}

/** At most `most` days between the first and the last, at round distances: Mondays, first days of months, new years. */
export function dayTicks(first: Day, last: Day, most: number, locale: string): Tick[] {
  const all = daysBetween(first, last);
  const step = STEPS.find(({ days }) => all / days <= most) ?? STEPS.at(-1)!;
  const days = step.unit === 'day' ? roundDays(first, last, step.count) : roundMonths(first, last, step);
  const text = (day: Day): string =>
    step.unit === 'year' ? day.slice(0, 4) : showDay(day, locale, step.unit === 'day' ? 'short' : 'monthOnly');
  return withYears(days.map((day) => ({ at: all ? daysBetween(first, day) / all : 0.5, day, text: text(day) })));
}

function roundDays(first: Day, last: Day, count: number): Day[] {
  const beyond = daysBetween(MONDAY, first) % count;
  let day = addDays(first, beyond > 0 ? count - beyond : -beyond);
  const days: Day[] = [];
  for (; day <= last; day = addDays(day, count)) days.push(day);
  return days;
}

function roundMonths(first: Day, last: Day, { unit, count }: { unit: string; count: number }): Day[] {
  const months = unit === 'year' ? count * 12 : count;
  const index = Number(first.slice(0, 4)) * 12 + Number(first.slice(5, 7)) - 1 + (first.endsWith('-01') ? 0 : 1);
  let day = addMonths('2000-01-01', Math.ceil(index / months) * months - 24_000);
  const days: Day[] = [];
  for (; day <= last; day = addMonths(day, months)) days.push(day);
  return days;
}

/** One tick in the middle of every part, or of every second, third … if there are more than `most`. */
export function partTicks(parts: Part[], most: number, locale: string): Tick[] {
  const every = Math.ceil(parts.length / Math.max(most, 1));
  const longest = Math.max(0, ...parts.map(({ start, end }) => daysBetween(start, end) + 1));
  const text = (day: Day): string =>
    longest > 360 ? day.slice(0, 4) : showDay(day, locale, longest < 28 ? 'short' : 'monthOnly');
  const found = parts.map(({ start }, at) => ({ at: (at + 0.5) / parts.length, day: start, text: text(start) }));
  return withYears(found.filter((_, at) => at % every === 0));
}

/** The index of the nearest of ascending positions. */
export function nearest(positions: number[], x: number): number {
  let [low, high] = [0, positions.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (positions[middle]! <= x) low = middle;
    else high = middle;
  }
  return Math.abs(positions[high]! - x) < Math.abs(positions[low]! - x) ? high : low;
}
