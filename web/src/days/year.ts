// The year in the address, or the current one.
import type { Day } from './days';

export function yearIn(query: URLSearchParams, today: Day): number {
  const asked = Number(query.get('year'));
  return Number.isInteger(asked) && asked >= 1900 && asked <= 2200 ? asked : Number(today.slice(0, 4));
}

export function rangeOf(year: number): { start: Day; end: Day } {
  return { start: `${year}-01-01`, end: `${year}-12-31` };
}
