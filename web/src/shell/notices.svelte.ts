// Notices that say what was done, with a button to undo it where possible.
import { get, post, Refused, Unreachable, type Answer } from '$/api/client';
import type { Change } from '$/api/types';
import { t } from '$/messages';
import { inRegion } from '$/session/sentences';
import { session } from '$/session/session.svelte';
import { refreshAll } from './load.svelte';

export interface Notice {
  id: number;
  text: string;
  kind: 'done' | 'failed';
  /** The change that the undo button reverts. */
  revision: string | null;
}

const SECONDS_SHOWN = 12;
/** More notices would cover the page. */
const MOST = 2;

class Notices {
  list: Notice[] = $state([]);
  /** The change that is undone once the user has seen what else that would do. */
  asking: Change | null = $state.raw(null);
  #next = 1;

  #add(kind: Notice['kind'], text: string, revision: string | null = null): void {
    const id = this.#next++;
    this.list.push({ id, kind, text, revision });
    // Older changes can still be undone from the list of changes.
    if (this.list.length > MOST) this.list.shift();
    setTimeout(() => this.dismiss(id), SECONDS_SHOWN * 1000 * (kind === 'failed' ? 2 : 1));
  }

  /** `answer` has the revision, which the undo button needs. */
  done(text: string, answer?: Answer<unknown>): void {
    this.#add('done', text, answer?.revision ?? null);
  }

  failed(error: unknown): void {
    this.#add('failed', explainError(error));
  }

  dismiss(id: number): void {
    this.list = this.list.filter((notice) => notice.id !== id);
  }

  async undo(notice: Notice): Promise<void> {
    this.dismiss(notice.id);
    try {
      const page = await get('/api/v1/changes', { query: { revision: Number(notice.revision) } });
      const change = page.data[0];
      if (!change) throw new Error(t.notices.nothingToUndo);
      await this.undoChange(change);
    } catch (error) {
      this.failed(error);
    }
  }

  /** Asks before it undoes what somebody else did, or on the page of one object, what touched others, too. */
  async undoChange(change: Change, { isOfOne = false } = {}): Promise<void> {
    const { by_id, counts } = change.attributes;
    const touched = counts.reduce((sum, { made, changed, deleted }) => sum + made + changed + deleted, 0);
    if ((by_id && by_id !== session.id) || (isOfOne && touched > 1)) this.asking = change;
    else
      await this.undoNow(change).catch((error: unknown) => {
        if (!(error instanceof Refused) || error.status !== 409) throw error;
        this.asking = change; // the dialog says why, and what can be done
      });
  }

  /** An undo is a change itself, so its notice can undo it. */
  async undoNow(change: Change, query: { others?: boolean; with_later?: boolean } = {}): Promise<void> {
    const answer = await post('/api/v1/changes/{id}/undo', undefined, { path: { id: change.id }, query });
    this.done(t.notices.undone, answer);
    if (answer.data.data.attributes.counts.some(({ kind }) => kind === 'preferences')) await session.refresh();
    refreshAll();
  }
}

/** What happened, and what to do about it. */
export function explainError(error: unknown): string {
  if (error instanceof Unreachable) return t.errors.unreachable;
  if (!(error instanceof Refused)) return error instanceof Error && error.message ? error.message : t.errors.unknown;
  if (error.status === 401) return t.errors.ended;
  if (error.status === 404) return t.errors.gone;
  if (error.status === 412) return t.errors.conflict;
  if (error.status === 429) return t.errors.tooMany(error.retryAfter);
  if (error.status === 503) return t.errors.busy;
  if (error.status >= 500) return t.errors.crash(error.requestId ?? '');
  const reasons = Object.values(error.fields).flat();
  return inRegion(reasons.length ? reasons.join(' ') : error.message);
}

export const notices = new Notices();
