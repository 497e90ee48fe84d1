// Uploads files one after the other, each with its own progress and errors.
import { createKey, Refused, type Answer } from '$/api/client';
import type { Attachment } from '$/api/types';
import { upload } from '$/api/upload';
import { t } from '$/messages';
import { explainError, notices } from '$/shell/notices.svelte';

/** The owner of the files: by its id, or a transaction by its journal id. */
export interface Owner {
  model: 'Account' | 'Bill' | 'Budget' | 'Category' | 'PiggyBank' | 'Tag' | 'TransactionJournal';
  id: string | number;
}

async function sendFile(owner: Owner, one: Upload): Promise<Answer<{ data: Attachment }>> {
  const { file, key, stopper } = one;
  if (!file.size) throw new Error(t.attachments.empty);
  const body = new FormData();
  body.set('model', owner.model);
  body.set('model_id', String(owner.id));
  body.set('file', file, file.name);
  return upload('/api/v1/attachments', body, key, {
    onProgress: (share) => (one.percent = Math.round(share * 100)),
    signal: stopper.signal,
  });
}

function explain(error: unknown): string {
  if (error instanceof DOMException && error.name === 'AbortError') return t.attachments.stopped;
  return error instanceof Refused && error.status === 413 ? t.attachments.tooLarge : explainError(error);
}

export class Upload {
  percent = $state(0);
  state: 'waiting' | 'uploading' | 'failed' = $state('waiting');
  error = $state('');
  readonly stopper = new AbortController();

  constructor(
    readonly file: File,
    /** The idempotency key: a retry after a lost answer does not upload the file twice. */
    readonly key = createKey(),
  ) {}
}

/** The uploads of one owner. They continue when the user leaves the page, and are shown again on return. */
export class Uploads {
  list: Upload[] = $state.raw([]);
  #isRunning = false;
  #onArrival: (() => void) | null = null;

  constructor(private readonly owner: Owner) {}

  /** Calls `onArrival` after each upload until the returned function is called. */
  watch(onArrival: () => void): () => void {
    this.#onArrival = onArrival;
    return () => (this.#onArrival = null);
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
    void this.#run();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const hold = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', hold);
    for (let next; (next = this.list.find(({ state }) => state === 'waiting'));) await this.#upload(next);
    removeEventListener('beforeunload', hold);
    this.#isRunning = false;
  }

  async #upload(one: Upload): Promise<void> {
    one.state = 'uploading';
    try {
      const answer = await sendFile(this.owner, one);
      this.drop(one);
      notices.done(t.attachments.added(one.file.name), answer);
      this.#onArrival?.();
    } catch (error) {
      [one.state, one.error] = ['failed', explain(error)];
      if (!this.#onArrival) notices.failed(new Error(`${one.file.name}: ${one.error}`));
    }
  }
}

const uploadsByOwner = new Map<string, Uploads>();

export function uploadsOf(owner: Owner): Uploads {
  const key = `${owner.model} ${owner.id}`;
  const uploads = uploadsByOwner.get(key) ?? new Uploads(owner);
  uploadsByOwner.set(key, uploads);
  return uploads;
}
