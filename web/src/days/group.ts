// Groups things by a key such as their day, in the order in which the keys first appear.
import type { Day } from './days';

export function groupBy<T>(things: Iterable<T>, keyOf: (thing: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const there = groups.get(key);
    if (there) there.push(thing);
    else groups.set(key, [thing]);
  }
  return groups;
}

export const groupByDay = <T>(things: Iterable<T>, dayOf: (thing: T) => Day): Map<Day, T[]> =>
  groupBy(things, (thing) => dayOf(thing).slice(0, 10));
