import { expect, test } from 'vitest';
import type { Rule, RuleGroup } from '$/api/types';
import { groupRules, moveGroup, moveRule, stepRule, type GroupWithRules } from './order';

const groups = ['1', '2'].map((id) => ({ id })) as RuleGroup[];
const rule = (id: string, rule_group_id: number): Rule => ({ id, attributes: { rule_group_id } }) as Rule;
const all = groupRules(groups, [rule('a', 1), rule('b', 1), rule('c', 2)]);
const shown = (of: GroupWithRules[]): string =>
  of.map(({ group, rules }) => `${group.id}:${rules.map(({ id }) => id).join('')}`).join(' ');

test('a step moves a rule within its group, and then into the next', () => {
  expect(stepRule(all, 'a', 1)).toEqual({ group: '1', place: 1 });
  expect(stepRule(all, 'b', 1)).toEqual({ group: '2', place: 0 });
  expect(stepRule(all, 'c', -1)).toEqual({ group: '1', place: 2 });
  expect(stepRule(all, 'a', -1)).toBeNull();
  expect(stepRule(all, 'c', 1)).toBeNull();
});

test('rules and groups are put where they belong', () => {
  expect(shown(all)).toBe('1:ab 2:c');
  expect(shown(moveRule(all, 'a', { group: '1', place: 1 }))).toBe('1:ba 2:c');
  expect(shown(moveRule(all, 'a', { group: '2', place: 1 }))).toBe('1:b 2:ca');
  expect(shown(moveGroup(all, '2', 0))).toBe('2:c 1:ab');
});
