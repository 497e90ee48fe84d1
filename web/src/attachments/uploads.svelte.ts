// Uploads files one after the other, each with its own progress and errors.
import { freshKey, Refused, type Answered } from '$/api/client';
import type { Attachment } from '$/api/types';
import { upload } from '$/api/upload';
import { t } from '$/messages';
import { explained, notices } from '$/shell/notices.svelte';

/** What the files belong to: a bill by its id, a transaction by its journal's. */
export interface Owner {
  model: 'Bill' | 'TransactionJournal';
  id: string | number;
}

async function send(owner: Owner, one: Upload): Promise<Answered<{ data: Attachment }>> {
  const { file, key, stopper } = one;
  if (!file.size) throw new Error(t.attachments.empty);
  const body = new FormData();
  body.set('model', owner.model);
  body.set('model_id', String(owner.id));
  body.set('file', file, file.name);
  return upload('/api/v1/attachments', body, key, {
    share: (share) => (one.percent = Math.round(share * 100)),
    signal: stopper.signal,
  });
}

function why(error: unknown): string {
  if (error instanceof DOMException && error.name === 'AbortError') return t.attachments.stopped;
  return error instanceof Refused && error.status === 413 ? t.attachments.tooLarge : explained(error);
}

export class Upload {
  percent = $state(0);
  state: 'waiting' | 'going' | 'failed' = $state('waiting');
  error = $state('');
  readonly stopper = new AbortController();

  constructor(
    readonly file: File,
    /** Tried again after a lost answer, it is still the same one. */
    readonly key = freshKey(),
  ) {}
}

/** Of one owner. They go on when somebody leaves the page, and are found there by whoever comes back. */
export class Uploads {
  list: Upload[] = $state.raw([]);
  #going = false;
  #arrived: (() => void) | null = null;

  constructor(private readonly owner: Owner) {}

  /** For an effect of the page that shows them: what it returns ends it. */
  shown(arrived: () => void): () => void {
    this.#arrived = arrived;
    return () => (this.#arrived = null);
  }

  add(files: File[]): void {
    this.#queue(files.map((file) => new Upload(file)));
  }

  retry(failed: Upload): void {
    this.drop(failed);
    this.#queue([new Upload(failed.file, failed.key)]);
  }

  drop(one: Upload): void {
    one.stopper.abort();
    this.list = this.list.filter((other) => other !== one);
  }

  #queue(more: Upload[]): void {
    this.list = [...this.list, ...more];
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#going) return;
    this.#going = true;
    const hold = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', hold);
    for (let next; (next = this.list.find(({ state }) => state === 'waiting'));) await this.#one(next);
    removeEventListener('beforeunload', hold);
    this.#going = false;
  }

  async #one(one: Upload): Promise<void> {
    one.state = 'going';
    try {
      const answered = await send(this.owner, one);
      this.drop(one);
      notices.done(t.attachments.added(one.file.name), answered);
      this.#arrived?.();
    } catch (error) {
      [one.state, one.error] = ['failed', why(error)];
      if (!this.#arrived) notices.failed(new Error(`${one.file.name}: ${one.error}`));
    }
  }
}

const known = new Map<string, Uploads>();

export function uploadsOf(owner: Owner): Uploads {
  const key = `${owner.model} ${owner.id}`;
  const found = known.get(key) ?? new Uploads(owner);
  known.set(key, found);
  return found;
}
