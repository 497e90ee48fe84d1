// Groups things by day, in the order in which the days first appear.
import type { Day } from './days';

export function groupByDay<T>(things: Iterable<T>, dayOf: (thing: T) => Day): Map<Day, T[]> {
  const days = new Map<Day, T[]>();
  for (const thing of things) {
    const day = dayOf(thing).slice(0, 10);
    const there = days.get(day);
    if (there) there.push(thing);
    else days.set(day, [thing]);
  }
  return days;
}
