import { afterEach, beforeEach, expect, test } from 'vitest';
import openapi from '../../../../docs/api/openapi.json?raw';
import type { Rule, Transaction } from '$/api/types';
import { setNumberFormat } from '$/money/parse';
import { draftFromRule, draftFromTransaction, emptyDraft, findMissing, part, suggestTriggers, toBody } from './draft';
import { ACTIONS, describePart, groupsOf, TRIGGERS } from './parts';

beforeEach(() => setNumberFormat('de-DE'));
afterEach(() => setNumberFormat('en-US'));

const bought = {
  type: 'Withdrawal',
  journal_description: 'Weekly shopping',
  amount: '-62.50',
  currency_dp: 2,
  source_name: 'Checking',
  source_type: 'Asset account',
  destination_name: 'Market',
  destination_type: 'Expense account',
  category_name: 'Food',
  budget_name: null,
  bill_name: null,
  tags: 'weekend,home',
};
const lines = (changes: object = {}): Transaction[] =>
  [{ attributes: { ...bought, ...changes } }] as unknown as Transaction[];
const words = (parts: { name: string; value: string }[]): string[] =>
  parts.map(({ name, value }) => `${name} ${value}`);

test('every trigger and action of the API can be chosen', () => {
  const { components } = JSON.parse(openapi) as {
    components: { schemas: Record<string, { properties: { name: { enum: string[] } } }> };
  };
  const known = (name: string): string[] =>
    components.schemas[name]!.properties.name.enum.filter((one) => one && one !== 'user_action');
  const offered = (side: 'triggers' | 'actions'): string[] =>
    groupsOf(side).flatMap(([, names]) => names.map(([name]) => name));

  expect(known('RuleTriggerBody').length).toBeGreaterThan(30);
  expect(offered('triggers').toSorted()).toEqual(known('RuleTriggerBody').toSorted());
  expect(Object.keys(TRIGGERS).toSorted()).toEqual(known('RuleTriggerBody').toSorted());
  expect(offered('actions').toSorted()).toEqual(known('RuleActionBody').toSorted());
  expect(Object.keys(ACTIONS).toSorted()).toEqual(known('RuleActionBody').toSorted());
});

test('a rule from a transaction knows its payee and does what was done to it', () => {
  const draft = draftFromTransaction(lines(), '3');

  expect(draft.title).toBe('Weekly shopping');
  expect(words(draft.triggers)).toEqual(['to_account_is Market']);
  expect(words(draft.actions)).toEqual(['set_category Food', 'add_tag weekend', 'add_tag home']);
  expect(words(suggestTriggers(lines()))).toEqual([
    'description_contains Weekly shopping',
    'amount_exactly 62,50',
    'transaction_type withdrawal',
    'from_account_is Checking',
  ]);
});

test('without a payee the description is what counts', () => {
  const cash = lines({ destination_type: 'Cash account', category_name: null, tags: null });

  expect(words(draftFromTransaction(cash, '').triggers)).toEqual(['description_contains Weekly shopping']);
  expect(words(draftFromTransaction(cash, '').actions)).toEqual(['set_category ']);
});

test('a deposit is known by who paid', () => {
  const paid = lines({ type: 'Deposit', source_name: 'Employer', source_type: 'Revenue account' });

  expect(words(draftFromTransaction(paid, '').triggers)).toEqual(['from_account_is Employer']);
});

test('amounts are sent as the API writes them, and nothing where there is no value', () => {
  const draft = { ...emptyDraft('7'), triggers: [part('amount_more', '1.234,50'), part('has_no_category', 'x')] };

  expect(toBody(draft, '7').rule_triggers).toEqual([
    { name: 'amount_more', value: '1234.50', stop_processing: false },
    { name: 'has_no_category', value: null, stop_processing: false },
  ]);
});

test('a value that is missing is named as the API names it', () => {
  const triggers = [part('any_notes'), part('has_attachments'), part('tag_is', ' ')];
  const draft = { ...emptyDraft('7'), title: 'Food', triggers };

  expect(Object.keys(findMissing(draft))).toEqual(['rule_triggers.2.value', 'rule_actions.0.value']);
});

test('all that is missing is named at once, also the names of the rule and of its new group', () => {
  const draft = { ...emptyDraft(''), newGroup: ' ' };

  expect(Object.keys(findMissing(draft))).toEqual([
    'title',
    'new_group',
    'rule_triggers.0.value',
    'rule_actions.0.value',
  ]);
});

test('a rule that is opened and saved stays the same', () => {
  const attributes = {
    title: 'Food',
    description: null,
    rule_group_id: 4,
    trigger: 'update-journal',
    strict: false,
    stop_processing: true,
    active: false,
    triggers: [{ type: 'tag_is', value: 'x', stop_processing: true }],
    actions: [{ type: 'clear_notes', value: null, stop_processing: false }],
  };
  const draft = draftFromRule({ attributes } as unknown as Rule);

  expect(toBody(draft, draft.group)).toEqual({
    title: 'Food',
    description: null,
    rule_group_id: 4,
    trigger: 'update-journal',
    strict: false,
    stop_processing: true,
    active: false,
    rule_triggers: [{ name: 'tag_is', value: 'x', stop_processing: true }],
    rule_actions: [{ name: 'clear_notes', value: null, stop_processing: false }],
  });
});

test('parts are described in words', () => {
  expect(describePart('triggers', 'category_is', 'Food')).toBe('Category is “Food”');
  expect(describePart('triggers', 'transaction_type', 'deposit')).toBe('Type is Income');
  expect(describePart('triggers', 'amount_more', '10')).toBe('Amount is more than 10');
  expect(describePart('actions', 'clear_notes', null)).toBe('Remove the notes');
});
