// The year in the address, or the current one.
import type { Day } from './days';

export function yearIn(query: URLSearchParams, today: Day): number {
  const given = Number(query.get('year'));
  return Number.isInteger(given) && given >= 1900 && given <= 2200 ? given : Number(today.slice(0, 4));
}

export function rangeOf(year: number): { start: Day; end: Day } {
  return { start: `${year}-01-01`, end: `${year}-12-31` };
}
