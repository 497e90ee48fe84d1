// Which files are on their way? One after the other, each with its own progress and its own trouble.
import { Refused, type Answered } from '$/api/client';
import type { Attachment } from '$/api/types';
import { upload } from '$/api/upload';
import { t } from '$/messages';
import { explained, notices } from '$/shell/notices.svelte';

/** What the files belong to: a bill by its id, a transaction by its journal's. */
export interface Owner {
  model: 'Bill' | 'TransactionJournal';
  id: string | number;
}

async function send(owner: Owner, file: File, share: (share: number) => void, signal?: AbortSignal): Promise<Answered<{ data: Attachment }>> {
  if (!file.size) throw new Error(t.attachments.empty);
  const body = new FormData();
  body.set('model', owner.model);
  body.set('model_id', String(owner.id));
  body.set('file', file, file.name);
  return upload('/api/v1/attachments', body, { share, signal });
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

  constructor(readonly file: File) {}
}

export class Uploads {
  list: Upload[] = $state.raw([]);
  #going = false;

  constructor(
    private readonly owner: () => Owner,
    private readonly arrived: () => void,
  ) {}

  add(files: File[]): void {
    this.list = [...this.list, ...files.map((file) => new Upload(file))];
    void this.#work();
  }

  retry(failed: Upload): void {
    this.drop(failed);
    this.add([failed.file]);
  }

  drop(one: Upload): void {
    one.stopper.abort();
    this.list = this.list.filter((other) => other !== one);
  }

  async #work(): Promise<void> {
    if (this.#going) return;
    this.#going = true;
    for (let next; (next = this.list.find(({ state }) => state === 'waiting')); ) await this.#one(next);
    this.#going = false;
  }

  async #one(one: Upload): Promise<void> {
    one.state = 'going';
    try {
      const answered = await send(this.owner(), one.file, (share) => (one.percent = Math.round(share * 100)), one.stopper.signal);
      this.drop(one);
      notices.done(t.attachments.added(one.file.name), answered);
      this.arrived();
    } catch (error) {
      [one.state, one.error] = ['failed', why(error)];
    }
  }
}

/** For a form that has just made the owner. What fails is said; the rest goes on. */
export async function uploadAll(owner: Owner, files: File[]): Promise<void> {
  for (const file of files) {
    try {
      await send(owner, file, () => {});
    } catch (error) {
      notices.failed(new Error(`${file.name}: ${why(error)}`));
    }
  }
}
