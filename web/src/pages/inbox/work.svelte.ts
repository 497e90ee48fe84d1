// Works through the inbox: accepts, replaces and rejects suggestions, and offers a rule after the third equal correction.
import { get, post, put, read, type Answer } from '$/api/client';
import type { RuleBody, RuleOffer, Suggested, Suggestion } from '$/api/types';
import { t } from '$/messages';
import { seldom } from '$/messages/seldom';
import { session } from '$/session/session.svelte';
import { notices } from '$/shell/notices.svelte';
import { bodyWithChanges } from '../accounts/draft';
import { hasLabels, type Scope } from './groups';

const words = t.inbox;

export interface OfferedRule {
  offer: RuleOffer;
  /** The transaction from whose values the form of a rule can be filled. */
  from: string;
}

export class Work {
  /** By the id of the transaction. */
  suggestions: Map<string, Suggestion> = $state.raw(new Map());
  /** Suggestions that the user rejected on this page, by the id of the transaction. */
  rejected: Set<string> = $state.raw(new Set());
  /** The group or transaction whose category is being chosen. */
  choosing: string | null = $state(null);
  rule: OfferedRule | null = $state.raw(null);
  busy = $state(false);
  #refused = new Set<string>();

  /** `changed` shows what was done, and moves the focus on. */
  constructor(readonly changed: () => Promise<void>) {}

  /** What is suggested for these, except what was rejected. */
  of({ of }: Scope): Suggestion[] {
    const ids = of.map(({ transaction_id }) => transaction_id).filter((id) => !this.rejected.has(id));
    return ids.map((id) => this.suggestions.get(id)).filter((one) => one !== undefined);
  }

  /** Those that were imported, and need nothing else but to be looked at. */
  unseen({ of }: Scope): string[] {
    return of.filter(({ reasons }) => reasons.every((one) => one === 'imported')).map((one) => one.transaction_id);
  }

  /** Accepts what is suggested; says that they are right if nothing is missing; else lets the user choose. */
  async accept(scope: Scope): Promise<void> {
    const ids = this.of(scope)
      .filter(hasLabels)
      .map((one) => one.transaction_id!);
    if (ids.length) return this.acceptSure(ids, 0);
    const unseen = this.unseen(scope);
    if (unseen.length) return this.markSeen(unseen);
    this.choosing = scope.key;
  }

  async acceptSure(ids: string[], confidence: number): Promise<void> {
    await this.#do(ids, async () => {
      const answer = await put('/api/v1/transactions/suggestions', { ids, confidence: String(confidence) });
      notices.done(words.done(answer.data.meta.accepted), answer);
    });
  }

  async markSeen(ids: string[]): Promise<void> {
    await this.#do([], async () => {
      notices.done(words.seen(ids.length), await put('/api/v1/inbox', { ids }));
    });
  }

  async choose({ of }: Scope, category: string): Promise<void> {
    this.choosing = null;
    const ids = of.map(({ transaction_id }) => transaction_id);
    await this.#do(ids, async () => {
      notices.done(words.done(ids.length), await put('/api/v1/transactions/bulk', { ids, category_name: category }));
    });
  }

  /** Nothing is stored: the suggestion is only no longer accepted from this page. */
  reject({ of }: Scope): void {
    this.rejected = new Set([...this.rejected, ...of.map(({ transaction_id }) => transaction_id)]);
  }

  /** Gives the payee its clean name, or merges it into the payee of that name. */
  async namePayee(id: string, payee: Suggested): Promise<void> {
    await this.#do([], async () => {
      const into = payee.id && { into_id: Number(payee.id) };
      const answer = into
        ? await post('/api/v1/accounts/{id}/merge', into, { path: { id } })
        : await rename(id, payee.name);
      notices.done(words.payeeDone(payee.name), answer);
    });
  }

  async createRule({ offer }: OfferedRule): Promise<void> {
    this.rule = null;
    await this.#do([], async () => {
      const { rule_group_title, ...rule } = offer;
      const body = { ...rule, rule_group_id: await findGroup(rule_group_title) } as RuleBody;
      notices.done(seldom.rules.created(offer.title), await post('/api/v1/rules', body));
    });
  }

  refuseRule(): void {
    if (this.rule) this.#refused.add(this.rule.offer.title);
    this.rule = null;
  }

  /** `ids` are those that were given labels. */
  async #do(ids: string[], act: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await act();
      await Promise.all([this.changed(), ids.length ? this.#offerRule(ids.slice(0, 1)) : null]);
    } catch (error) {
      notices.failed(error);
    } finally {
      this.busy = false;
    }
  }

  async #offerRule(ids: string[]): Promise<void> {
    const { data } = await get('/api/v1/transactions/suggestions', { query: { ids: ids.join(',') } });
    const offer = data[0]?.rule;
    this.rule = offer && !this.#refused.has(offer.title) ? { offer, from: ids[0]! } : null;
  }
}

async function rename(id: string, name: string): Promise<Answer<unknown>> {
  const { data, etag } = await read('/api/v1/accounts/{id}', { path: { id } });
  const body = bodyWithChanges(data.data.attributes, { name }, session.today);
  return put('/api/v1/accounts/{id}', body, { path: { id }, match: etag });
}

/** The group that the offer names, or the usual one, which is made if there is none yet. */
async function findGroup(title: string | null): Promise<number> {
  const groups = title === null ? [] : (await get('/api/v1/rule_groups', { query: { limit: 1000 } })).data;
  const known = groups.find(({ attributes }) => attributes.title === title);
  if (known) return Number(known.id);
  return Number(
    (await post('/api/v1/rule_groups', { title: title ?? seldom.rules.groups.usual, active: true })).data.data.id,
  );
}
