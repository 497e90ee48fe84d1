// The values of the rule form, from a rule or a transaction, and the request that they become.
import type { Rule, RuleBody, Transaction } from '$/api/types';
import { t } from '$/messages';
import { seldom } from '$/messages/seldom';
import { withoutSign } from '$/money/money';
import { parseAmount, writeAmount } from '$/money/parse';
import { kindOf, writeStored, type PartSide } from './parts';

export interface PartDraft {
  /** Keeps fields in place while parts are removed. */
  key: number;
  name: string;
  value: string;
  stop: boolean;
}

export interface RuleDraft {
  title: string;
  description: string;
  /** The id of a group, or NEW_GROUP. */
  group: string;
  newGroup: string;
  trigger: 'store-journal' | 'update-journal';
  strict: 'all' | 'any';
  stop: boolean;
  active: boolean;
  triggers: PartDraft[];
  actions: PartDraft[];
}

export const NEW_GROUP = 'new';

let lastKey = 0;
export const part = (name: string, value = '', stop = false): PartDraft => ({ key: ++lastKey, name, value, stop });

export function emptyDraft(group: string): RuleDraft {
  return {
    title: '',
    description: '',
    group: group || NEW_GROUP,
    newGroup: seldom.rules.groups.usual,
    trigger: 'store-journal',
    strict: 'all',
    stop: false,
    active: true,
    triggers: [part('description_contains')],
    actions: [part('set_category')],
  };
}

export function draftFromRule({ attributes }: Rule): RuleDraft {
  const parts = (side: PartSide, given: Rule['attributes']['triggers']): PartDraft[] =>
    given.map(({ type, value, stop_processing }) => part(type, writeStored(side, type, value), stop_processing));
  return {
    title: attributes.title,
    description: attributes.description ?? '',
    group: String(attributes.rule_group_id),
    newGroup: seldom.rules.groups.usual,
    trigger: attributes.trigger as RuleDraft['trigger'],
    strict: attributes.strict ? 'all' : 'any',
    stop: attributes.stop_processing,
    active: attributes.active,
    triggers: parts('triggers', attributes.triggers),
    actions: parts('actions', attributes.actions),
  };
}

/** What is missing here is offered by `suggestTriggers`. */
export function draftFromTransaction(lines: Transaction[], group: string): RuleDraft {
  const first = lines[0]!.attributes;
  const actions = [
    ...(first.category_name ? [part('set_category', first.category_name)] : []),
    ...(first.budget_name ? [part('set_budget', first.budget_name)] : []),
    ...tagsOf(lines).map((tag) => part('add_tag', tag)),
    ...(first.bill_name ? [part('link_to_bill', first.bill_name)] : []),
  ];
  return {
    ...emptyDraft(group),
    title: first.journal_description.slice(0, 255),
    triggers: [payeeTrigger(lines) ?? part('description_contains', first.journal_description)],
    actions: actions.length ? actions : [part('set_category')],
  };
}

/** The person or shop is the best sign; a transfer and cash have none. */
function payeeTrigger(lines: Transaction[]): PartDraft | null {
  const { type, source_name, source_type, destination_name, destination_type } = lines[0]!.attributes;
  if (type === 'Withdrawal' && destination_type !== 'Cash account') return part('to_account_is', destination_name);
  return type === 'Deposit' && source_type !== 'Cash account' ? part('from_account_is', source_name) : null;
}

/** More that holds for the transaction, to be added with one click. */
export function suggestTriggers(lines: Transaction[]): PartDraft[] {
  const first = lines[0]!.attributes;
  const total =
    lines.length === 1 ? [part('amount_exactly', writeAmount(withoutSign(first.amount, first.currency_dp)))] : [];
  return [
    part('description_contains', first.journal_description),
    ...total,
    part('transaction_type', first.type.toLowerCase()),
    first.type === 'Deposit'
      ? part('to_account_is', first.destination_name)
      : part('from_account_is', first.source_name),
  ];
}

const tagsOf = (lines: Transaction[]): string[] =>
  (lines[0]!.attributes.tags ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/** Values that are missing, by the API's names of the fields. */
export function findMissing(draft: RuleDraft): Record<string, string[]> {
  const names = [
    ...(draft.title.trim() ? [] : ['title']),
    ...(draft.group !== NEW_GROUP || draft.newGroup.trim() ? [] : ['new_group']),
  ];
  const values = (['triggers', 'actions'] as const).flatMap((side) =>
    draft[side].flatMap(({ name, value }, at) =>
      ['none', 'count'].includes(kindOf(side, name)) || value.trim() ? [] : [`rule_${side}.${at}.value`],
    ),
  );
  return Object.fromEntries([...names, ...values].map((name) => [name, [t.form.required]]));
}

export function toBody(draft: RuleDraft, group: string): RuleBody {
  return {
    title: draft.title,
    description: draft.description || null,
    rule_group_id: Number(group),
    trigger: draft.trigger,
    strict: draft.strict === 'all',
    stop_processing: draft.stop,
    active: draft.active,
    rule_triggers: draft.triggers.map((item) => toPart('triggers', item)) as RuleBody['rule_triggers'],
    rule_actions: draft.actions.map((item) => toPart('actions', item)) as RuleBody['rule_actions'],
  };
}

function toPart(side: PartSide, { name, value, stop }: PartDraft): object {
  const kind = kindOf(side, name);
  const text = kind === 'amount' ? (parseAmount(value) ?? value) : value.trim();
  return { name, value: kind === 'none' || !text ? null : text, stop_processing: stop };
}
