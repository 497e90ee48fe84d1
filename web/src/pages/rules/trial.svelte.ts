// Tries a rule or a group of rules on what is there, applies it, and undoes that, following the jobs of the server.
import { buildUrl, get, post, send } from '$/api/client';
import { parse } from '$/api/exact';
import type { RuleChange, RuleRun } from '$/api/types';
import type { Period } from '$/days/period';
import { seldom } from '$/messages/seldom';
import { notices } from '$/shell/notices.svelte';
import { refreshAll } from '$/shell/load.svelte';

const POLL_MS = 700;
const PAGE = 100;
const CHANGES_PAGE = 200;

export interface Findings {
  changes: RuleChange[];
  lookedAt: number;
  matched: number;
  changed: number;
  /** How many changes can be listed. */
  listed: number;
  isFinished: boolean;
}

export interface Step {
  kind: 'applying' | 'undoing';
  done: number;
  of: number;
}

/** What is tried: its addresses, and how the log of changes calls a run of it. */
const SUBJECTS = {
  rule: {
    trigger: '/api/v1/rules/{id}/trigger',
    dryRun: '/api/v1/rules/{id}/dry_run',
    run: '/api/v1/rules/{id}/run',
    doing: 'rules.trigger',
  },
  group: {
    trigger: '/api/v1/rule_groups/{id}/trigger',
    dryRun: '/api/v1/rule_groups/{id}/dry_run',
    run: '/api/v1/rule_groups/{id}/run',
    doing: 'rule_groups.trigger',
  },
} as const;
export type Tried = keyof typeof SUBJECTS;

export class Trial {
  findings: Findings | null = $state.raw(null);
  error: unknown = $state.raw(null);
  step: Step | null = $state.raw(null);
  /** The changes of a run in the background, which can be undone together. */
  applied: { count: number; revisions: [number, number] | null } | null = $state.raw(null);
  #gone = new AbortController();
  #current = new AbortController();

  readonly #subject: (typeof SUBJECTS)[Tried];
  readonly #path: { id: string };

  constructor(tried: Tried, id: string) {
    this.#subject = SUBJECTS[tried];
    this.#path = { id };
  }

  leave(): void {
    this.#gone.abort();
    this.#current.abort();
  }

  /** Shows what would change; an older question is dropped. */
  async look(range: Period): Promise<void> {
    this.#current.abort();
    const mine = (this.#current = new AbortController());
    [this.findings, this.error, this.applied] = [null, null, null];
    try {
      const first = await this.#tryOut(range, mine.signal);
      if (first) this.findings = first;
      else await this.#followDryRun(mine.signal);
    } catch (error) {
      if (mine === this.#current) this.error = error;
    }
  }

  /** Without an idempotency key, because a request that only reads is answered at once. Null if a job does it. */
  async #tryOut({ start, end }: Period, signal: AbortSignal): Promise<Findings | null> {
    const url = buildUrl(this.#subject.trigger, this.#path, { start, end, dry_run: 1 });
    const response = await send('POST', url, { signal });
    const { data, meta } = parse(await response.text()) as RuleRun;
    const changes = data.filter(({ attributes }) => attributes.changed);
    return meta.in_background
      ? null
      : {
          changes,
          lookedAt: meta.looked_at,
          matched: meta.matched,
          changed: meta.changed,
          listed: changes.length,
          isFinished: true,
        };
  }

  async #followDryRun(signal: AbortSignal): Promise<void> {
    for (;;) {
      this.findings = await this.#page(1, signal);
      if (this.findings.isFinished) return;
      await wait(POLL_MS, signal);
    }
  }

  async #page(page: number, signal: AbortSignal): Promise<Findings> {
    const query = { page, limit: PAGE };
    const { data, meta } = await get(this.#subject.dryRun, { path: this.#path, query, signal });
    if (meta.failure) throw new Error(seldom.rules.trial.failed(meta.failure));
    return {
      changes: data,
      lookedAt: meta.looked_at,
      matched: meta.matched,
      changed: meta.changed,
      listed: meta.pagination.total,
      isFinished: meta.finished,
    };
  }

  async more(): Promise<void> {
    const before = this.findings!;
    const next = await this.#page(Math.floor(before.changes.length / PAGE) + 1, this.#current.signal);
    this.findings = { ...before, changes: [...before.changes, ...next.changes] };
  }

  async apply({ start, end }: Period): Promise<void> {
    const of = this.findings!.changed;
    this.step = { kind: 'applying', done: 0, of };
    try {
      const answer = await post(this.#subject.trigger, undefined, { path: this.#path, query: { start, end } });
      const { in_background, changed } = answer.data.meta;
      if (in_background) await this.#followRun(of);
      else {
        notices.done(seldom.rules.trial.applied(changed), answer);
        await this.look({ start, end });
      }
    } catch (error) {
      notices.failed(error);
    } finally {
      this.step = null;
    }
  }

  async #followRun(of: number): Promise<void> {
    for (;;) {
      const options = { path: this.#path, signal: this.#gone.signal };
      const { attributes } = (await get(this.#subject.run, options)).data;
      const { changed, finished, failure, first_revision: first, last_revision: last } = attributes;
      this.step = { kind: 'applying', done: changed, of: Math.max(of, changed) };
      if (finished) {
        if (failure) notices.failed(new Error(seldom.rules.trial.failed(failure)));
        this.applied = { count: changed, revisions: first !== null && last !== null ? [first, last] : null };
        return;
      }
      await wait(POLL_MS, this.#gone.signal);
    }
  }

  /** Undoes the parts of a run in the background, the newest first. */
  async undo(): Promise<void> {
    const [first, last] = this.applied!.revisions!;
    try {
      const parts = await this.#partsOf(first, last);
      for (const [done, id] of parts.entries()) {
        this.step = { kind: 'undoing', done, of: parts.length };
        await post('/api/v1/changes/{id}/undo', undefined, { path: { id } });
      }
      notices.done(seldom.rules.trial.undone);
      this.applied = null;
      refreshAll();
    } catch (error) {
      notices.failed(error);
    } finally {
      this.step = null;
    }
  }

  async #partsOf(first: number, last: number): Promise<string[]> {
    const found: string[] = [];
    for (let page = 1; ; page++) {
      const { data, meta } = await get('/api/v1/changes', { query: { page, limit: CHANGES_PAGE } });
      for (const { id, attributes } of data) {
        if (attributes.revision < first) return found;
        const isPart = attributes.revision <= last && attributes.doing === this.#subject.doing;
        if (isPart && attributes.undone_by === null) found.push(id);
      }
      if (page >= meta.pagination.total_pages) return found;
    }
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), reject(new DOMException('gone', 'AbortError'))));
  });
}
