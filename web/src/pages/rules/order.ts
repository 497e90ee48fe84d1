// The order of groups and rules: where something goes, without the server.
import type { Rule, RuleGroup } from '$/api/types';

export interface GroupWithRules {
  group: RuleGroup;
  rules: Rule[];
}

/** A place counts from zero, among those that are there without the moved one. */
export interface Destination {
  group: string;
  place: number;
}

export function groupRules(groups: RuleGroup[], rules: Rule[]): GroupWithRules[] {
  return groups.map((group) => ({
    group,
    rules: rules.filter(({ attributes }) => String(attributes.rule_group_id) === group.id),
  }));
}

/** One step up or down; beyond the end of a group is the next group. Null at the very end. */
export function stepRule(all: GroupWithRules[], id: string, step: 1 | -1): Destination | null {
  const at = all.findIndex(({ rules }) => rules.some((rule) => rule.id === id));
  const place = all[at]!.rules.findIndex((rule) => rule.id === id) + step;
  if (place >= 0 && place < all[at]!.rules.length) return { group: all[at]!.group.id, place };
  const next = all[at + step];
  return next ? { group: next.group.id, place: step > 0 ? 0 : next.rules.length } : null;
}

export function moveRule(all: GroupWithRules[], id: string, to: Destination): GroupWithRules[] {
  const rule = all.flatMap(({ rules }) => rules).find((each) => each.id === id)!;
  return all.map(({ group, rules }) => {
    const others = rules.filter((each) => each.id !== id);
    return { group, rules: group.id === to.group ? others.toSpliced(to.place, 0, rule) : others };
  });
}

export function moveGroup(all: GroupWithRules[], id: string, place: number): GroupWithRules[] {
  const moved = all.find(({ group }) => group.id === id)!;
  return all.filter((each) => each !== moved).toSpliced(place, 0, moved);
}

/** Where the line is drawn while something is dragged: before or after something, or in an empty group. */
export interface Marker {
  id: string;
  side: 'before' | 'after';
}

export function markPlace(ids: string[], moved: string, place: number): Marker | null {
  const others = ids.filter((id) => id !== moved);
  if (place < others.length) return { id: others[place]!, side: 'before' };
  return others.length ? { id: others.at(-1)!, side: 'after' } : null;
}
