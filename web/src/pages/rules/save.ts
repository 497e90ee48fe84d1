// Reads and writes rules and their groups.
import { get, post, put, read, Refused, type Answer } from '$/api/client';
import type { Rule, RuleGroup } from '$/api/types';
import { refuse, type Form } from '$/form/form.svelte';
import { draftFromRule, findMissing, NEW_GROUP, toBody, type RuleDraft } from './draft';

/** The API gives no more on a page, and has no more rules. */
const ALL = 1000;

export async function loadGroups(signal: AbortSignal): Promise<RuleGroup[]> {
  return (await get('/api/v1/rule_groups', { query: { limit: ALL }, signal })).data;
}

export async function loadRules(signal: AbortSignal): Promise<Rule[]> {
  return (await get('/api/v1/rules', { query: { limit: ALL }, signal })).data;
}

/** Checks the values, and creates the group if it is a new one. */
export async function prepare(form: Form<RuleDraft>, values: RuleDraft): Promise<RuleDraft> {
  refuse(findMissing(values));
  if (values.group !== NEW_GROUP) return values;
  const group = await createGroup(values.newGroup);
  // If the rule is refused, the next attempt finds the group.
  form.values.group = group;
  return { ...values, group };
}

/** Errors of the group's title belong to its field; the rule has a title, too. */
async function createGroup(title: string): Promise<string> {
  try {
    return (await post('/api/v1/rule_groups', { title, active: true })).data.data.id;
  } catch (error) {
    const reasons = error instanceof Refused ? (error.fields.title ?? []) : [];
    if (reasons.length) refuse({ new_group: reasons.map((one) => one.replace('The title', 'The new group')) });
    throw error;
  }
}

/** Reads the rule first: the API takes all of it, and refuses if somebody changed it meanwhile. */
export async function changeRule(
  id: string,
  changes: { active?: boolean; order?: number; group?: string },
): Promise<Answer<unknown>> {
  const { data, etag } = await read('/api/v1/rules/{id}', { path: { id } });
  const draft = draftFromRule(data.data);
  const body = toBody({ ...draft, active: changes.active ?? draft.active }, changes.group ?? draft.group);
  return put('/api/v1/rules/{id}', { ...body, order: changes.order ?? null }, { path: { id }, match: etag });
}

/** `known` is the ETag of the version that was edited; without it, that of the one that is there now. */
export async function changeGroup(
  id: string,
  changes: { title?: string; active?: boolean; order?: number },
  known: string | null = null,
): Promise<Answer<unknown>> {
  const { data, etag } = await read('/api/v1/rule_groups/{id}', { path: { id } });
  const { title, description, active } = data.data.attributes;
  return put(
    '/api/v1/rule_groups/{id}',
    { title, description, active, ...changes },
    { path: { id }, match: known ?? etag },
  );
}

export async function duplicate(rule: Rule, title: string): Promise<Answer<unknown>> {
  const draft = { ...draftFromRule(rule), title: title.slice(-255), active: false };
  const order = rule.attributes.order + 1;
  return post('/api/v1/rules', { ...toBody(draft, draft.group), order });
}
