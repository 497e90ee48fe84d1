// The triggers and actions that the API knows, and the kind of value that each takes.
import { t } from '$/messages';
import { seldom } from '$/messages/seldom';
import { writeAmount } from '$/money/parse';
import { look } from '$/shell/look.svelte';

export type ValueKind = keyof typeof seldom.rules.kinds | 'none';
export type PartSide = 'triggers' | 'actions';

/** In the order of the screen. */
export const TRIGGERS: Record<string, ValueKind> = {
  description_contains: 'text',
  description_is: 'text',
  description_starts: 'text',
  description_ends: 'text',
  to_account_is: 'account',
  to_account_contains: 'text',
  to_account_starts: 'text',
  to_account_ends: 'text',
  from_account_is: 'account',
  from_account_contains: 'text',
  from_account_starts: 'text',
  from_account_ends: 'text',
  amount_exactly: 'amount',
  amount_more: 'amount',
  amount_less: 'amount',
  currency_is: 'currency',
  transaction_type: 'type',
  category_is: 'category',
  has_no_category: 'none',
  has_any_category: 'none',
  budget_is: 'budget',
  has_no_budget: 'none',
  has_any_budget: 'none',
  tag_is: 'tag',
  has_no_tag: 'none',
  has_any_tag: 'none',
  notes_contain: 'text',
  notes_are: 'notes',
  notes_start: 'text',
  notes_end: 'text',
  no_notes: 'none',
  any_notes: 'none',
  has_attachments: 'count',
};

export const ACTIONS: Record<string, ValueKind> = {
  set_category: 'category',
  clear_category: 'none',
  set_budget: 'budget',
  clear_budget: 'none',
  add_tag: 'tag',
  remove_tag: 'tag',
  remove_all_tags: 'none',
  link_to_bill: 'bill',
  set_description: 'text',
  append_description: 'text',
  prepend_description: 'text',
  set_source_account: 'account',
  set_destination_account: 'account',
  set_notes: 'notes',
  append_notes: 'notes',
  prepend_notes: 'notes',
  clear_notes: 'none',
};

const SIDES = { triggers: TRIGGERS, actions: ACTIONS };

/** The words for them, by group. */
export const groupsOf = (side: PartSide): [string, [string, string][]][] =>
  Object.entries(seldom.rules[side]).map(([group, names]) => [
    seldom.rules.partGroups[group as keyof typeof seldom.rules.partGroups],
    Object.entries(names),
  ]);

const WORDS = {
  triggers: new Map(groupsOf('triggers').flatMap(([, names]) => names)),
  actions: new Map(groupsOf('actions').flatMap(([, names]) => names)),
};

/** A trigger or an action by the API's name, in words. */
export const nameOfPart = (name: string): string => WORDS.triggers.get(name) ?? WORDS.actions.get(name) ?? name;

/** A newer server may know more of them. */
export const kindOf = (side: PartSide, name: string): ValueKind => SIDES[side][name] ?? 'text';

/** Several in one sentence: `Category is “Food” and amount is more than 5`. */
export function describeParts(side: PartSide, parts: { type: string; value: string | null }[], joint: string): string {
  const texts = parts.map(({ type, value }) => describePart(side, type, writeStored(side, type, value)));
  return texts.map((text, at) => (at ? seldom.rules.laterPart(text) : text)).join(joint);
}

/** The value of a stored part as somebody of the user's region would type it. */
export const writeStored = (side: PartSide, name: string, value: string | null): string =>
  kindOf(side, name) === 'amount' ? writeAmount(value ?? '') : (value ?? '');

/** As a sentence: `Category is “Food”`. */
export function describePart(side: PartSide, name: string, value: string | null): string {
  const [words, kind] = [WORDS[side].get(name) ?? name, kindOf(side, name)];
  if (kind === 'none') return words;
  if (kind === 'type') return `${words} ${(t.transactions.types as Record<string, string>)[value ?? ''] ?? value}`;
  if (kind === 'amount' && look.hidden) return `${words} •••`;
  return kind === 'amount' || kind === 'count' ? `${words} ${value ?? 1}` : seldom.rules.part(words, value ?? '');
}
