// Uploads files that were dropped or chosen as one import, and opens its page.
import { createKey, Refused, type Answer } from '$/api/client';
import type { ImportJob } from '$/api/types';
import { upload } from '$/api/upload';
import { t } from '$/messages';
import { explainError, notices } from './notices.svelte';
import { router } from './router.svelte';

type JobAnswer = Answer<{ data: ImportJob }>;

class Incoming {
  /** The file that is being uploaded. */
  file: File | null = $state.raw(null);
  percent = $state(0);
  #stopper: AbortController | null = null;

  #last: Promise<void> = Promise.resolve();

  /** What is dropped during an upload is an import of its own, after that one. */
  start(files: File[]): Promise<void> {
    this.#last = this.#last.then(() => this.#bring(files));
    return this.#last;
  }

  /** The first file makes the import, the others are added to it. */
  async #bring([first, ...others]: File[]): Promise<void> {
    if (!first) return;
    const id = await this.#send('/api/v1/import_jobs', first);
    if (!id) return;
    await this.add(id, others);
    router.go(`/imports/${id}`);
  }

  async add(job: string, files: File[]): Promise<void> {
    for (const file of files) await this.#send(`/api/v1/import_jobs/${job}/upload`, file);
  }

  cancel(): void {
    this.#stopper?.abort();
  }

  /** The id of the import, or null when the file did not arrive. */
  async #send(path: string, file: File): Promise<string | null> {
    [this.file, this.percent, this.#stopper] = [file, 0, new AbortController()];
    const body = new FormData();
    body.set('file', file, file.name);
    try {
      const answer: JobAnswer = await upload(path, body, createKey(), {
        onProgress: (share) => (this.percent = Math.round(share * 100)),
        signal: this.#stopper.signal,
      });
      return answer.data.data.id;
    } catch (error) {
      if (!this.#stopper.signal.aborted) notices.failed(new Error(explain(file, error)));
      return null;
    } finally {
      [this.file, this.#stopper] = [null, null];
    }
  }
}

function explain(file: File, error: unknown): string {
  const isTooLarge = error instanceof Refused && error.status === 413;
  return isTooLarge ? t.imports.bring.tooLarge(file.name) : t.imports.bring.partly(file.name, explainError(error));
}

export const incoming = new Incoming();
