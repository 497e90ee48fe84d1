// Collects the changes to an import and sends them after a pause, one request at a time.
import { Refused } from '$/api/client';
import type { ImportJob, ImportJobBody } from '$/api/types';
import { explainError } from '$/shell/notices.svelte';

const PAUSE_MS = 300;

export class JobChanges {
  /** What was changed and is not stored yet, because it waits or was refused. */
  unsent: ImportJobBody = $state.raw({});
  /** Why the last change was refused, by field. */
  errors: Record<string, string[]> = $state.raw({});
  /** An error that belongs to no field. */
  general = $state('');
  /** Something waits or is being sent. */
  busy = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<boolean> | null = null;

  constructor(
    private readonly send: (body: ImportJobBody) => Promise<ImportJob>,
    private readonly done: (job: ImportJob) => void,
  ) {}

  change(body: ImportJobBody): void {
    this.unsent = { ...this.unsent, ...body, ...withOptions(this.unsent, body) };
    this.busy = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), PAUSE_MS);
  }

  /** Sends at once what waits. True when everything is stored. */
  flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    if (!this.#sending && Object.keys(this.unsent).length) this.#sending = this.#sendAll();
    return this.#sending ?? Promise.resolve(true);
  }

  /** What waits is sent when the user goes elsewhere. */
  leave(): void {
    if (this.busy) void this.flush();
  }

  async #sendAll(): Promise<boolean> {
    while (Object.keys(this.unsent).length && (await this.#sendOnce()));
    [this.#sending, this.busy] = [null, false];
    return !Object.keys(this.unsent).length;
  }

  /** False when it was refused; then it stays unsent until the next change. */
  async #sendOnce(): Promise<boolean> {
    const body = this.unsent;
    try {
      const job = await this.send(body);
      [this.errors, this.general] = [{}, ''];
      if (this.unsent === body) this.unsent = {};
      this.done(job);
      return true;
    } catch (error) {
      if (this.unsent !== body) return true;
      this.errors = error instanceof Refused && error.status === 422 ? error.fields : {};
      this.general = Object.keys(this.errors).length ? '' : explainError(error);
      return false;
    }
  }
}

function withOptions(before: ImportJobBody, change: ImportJobBody): ImportJobBody {
  return before.options && change.options ? { options: { ...before.options, ...change.options } } : {};
}
