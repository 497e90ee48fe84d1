// The entries that wait on this device, for the pages: recorded before they are sent, and sent by whoever comes first.
import { authority, createKey, Refused, type Answer } from '$/api/client';
import { parse } from '$/api/exact';
import { t } from '$/messages';
import { session } from '$/session/session.svelte';
import { refreshAll } from '$/shell/load.svelte';
import { notices } from '$/shell/notices.svelte';
import { whenBack } from '$/shell/reconnect';
import { device, scope } from './device.svelte';
import { sendWaiting, type Ending, type Sent } from './send';
import { addWaiting, putWaiting, removeWaiting, waitingOf, type WaitingEntry } from './store';

/** What a form hands over. */
export type Recorded = Pick<WaitingEntry, 'method' | 'path' | 'body' | 'match' | 'draft' | 'before' | 'text'> & {
  files: File[];
};

/** How long another tab, or the worker, may take to say what the server has answered. */
const HEARSAY_MS = 2000;
const SYNC = 'send-waiting';

class Waiting {
  entries: WaitingEntry[] = $state.raw([]);
  #answers = new Map<number, Sent['answer']>();
  #channel: BroadcastChannel | null = null;
  #sending: Promise<Ending> | null = null;
  #giveUp: (() => void) | null = null;

  /** Use it while somebody is signed in whose books are kept; the returned function ends it. */
  follow(): () => void {
    this.#channel = new BroadcastChannel(`waiting ${scope}`);
    this.#channel.onmessage = ({ data }: MessageEvent<Sent>) => this.#hear(data);
    addEventListener('online', this.#sendSoon);
    const ending = new AbortController();
    const keep = (): void => {
      if (device.isKept && !document.hidden)
        void import('./fill').then(({ fill }) => fill(ending.signal)).catch(() => {}); // tried again later
    };
    document.addEventListener('visibilitychange', keep);
    keep();
    void this.load().then(() => this.send());
    return () => {
      ending.abort();
      document.removeEventListener('visibilitychange', keep);
      this.#channel?.close();
      this.#channel = null;
      removeEventListener('online', this.#sendSoon);
      this.#giveUp?.();
      this.#giveUp = null;
    };
  }

  #sendSoon = (): void => void this.send();

  async load(): Promise<void> {
    this.entries = await waitingOf(scope, session.id);
    device.waiting = this.entries.length;
    device.refused = this.entries.filter(({ refusal }) => refusal).length;
  }

  async find(id: string): Promise<WaitingEntry | null> {
    return (await waitingOf(scope, session.id)).find((entry) => entry.id === Number(id)) ?? null;
  }

  /** Stores the entry first and then sends it. Null when it waits; a refusal is thrown as the API's own. */
  async record({ files, ...recorded }: Recorded): Promise<Answer<unknown> | null> {
    const id = await addWaiting(scope, {
      ...recorded,
      user: session.id,
      books: authority.books,
      key: createKey(),
      files: files.map((file) => ({ key: createKey(), name: file.name, file })),
      recordedAt: Date.now(),
      triedAt: null,
      refusal: null,
      saved: null,
    });
    return this.#outcome(id);
  }

  /** Replaces what waits by what was typed now. It keeps its key, unless it may have arrived under that. */
  async change(id: number, { files, ...recorded }: Recorded): Promise<Answer<unknown> | null> {
    const entry = await this.find(String(id));
    if (!entry || entry.saved || (entry.triedAt && !entry.refusal)) throw new Error(t.offline.sentMeanwhile);
    const known = new Map(entry.files.map((waiting) => [waiting.file, waiting]));
    await putWaiting(scope, {
      ...entry,
      ...recorded,
      key: entry.triedAt ? createKey() : entry.key,
      files: files.map((file) => known.get(file) ?? { key: createKey(), name: file.name, file }),
      triedAt: null,
      refusal: null,
    });
    return this.#outcome(id, entry);
  }

  /** What the server says; an entry that it refuses goes back to its form, and to where it was before. */
  async #outcome(id: number, before: WaitingEntry | null = null): Promise<Answer<unknown> | null> {
    await this.send(id);
    const entry = await this.find(String(id));
    if (entry?.refusal && !entry.saved) {
      const { status, message, fields } = entry.refusal;
      if (!before) await this.discard(id);
      throw new Refused(status, message, fields, 0, null);
    }
    if (entry && !entry.saved) return null;
    return this.#answerTo(id);
  }

  async #answerTo(id: number): Promise<Answer<unknown>> {
    for (const end = Date.now() + HEARSAY_MS; !this.#answers.has(id) && Date.now() < end;)
      await new Promise((resume) => setTimeout(resume, 20));
    const answer = this.#answers.get(id);
    this.#answers.delete(id);
    if (!answer) throw new Error(t.offline.sentMeanwhile);
    if (answer.revision) authority.onChanged(Number(answer.revision));
    return { ...answer, data: parse(answer.text) };
  }

  async discard(id: number): Promise<void> {
    await removeWaiting(scope, id);
    await this.load();
  }

  /** Tries a file again that was refused. */
  async retry(entry: WaitingEntry): Promise<void> {
    await putWaiting(scope, { ...entry, refusal: null });
    await this.send();
  }

  /** Sends everything, one run after the other. `quietly` is the entry whose form says itself what became of it. */
  async send(quietly: number | null = null): Promise<Ending> {
    while (this.#sending) await this.#sending;
    this.#sending = this.#run(quietly).finally(() => (this.#sending = null));
    return this.#sending;
  }

  async #run(quietly: number | null): Promise<Ending> {
    let count = 0;
    const ending = await sendWaiting(scope, session.id, (sent) => {
      this.#channel?.postMessage({ ...sent, entry: { ...sent.entry, files: [], draft: null, before: null } });
      if (sent.answer && sent.entry.id === quietly) this.#answers.set(quietly, sent.answer);
      else if (sent.answer) count++;
    });
    await this.load();
    if (count) {
      notices.done(t.offline.sent(count));
      refreshAll();
    }
    if (ending === 'unreachable') this.#waitForNetwork();
    if (ending === 'signed out' && session.state === 'signed in') authority.onSignedOut();
    return ending;
  }

  /** The worker sends even when the app is closed, where the browser lets it; and this page when the server answers. */
  #waitForNetwork(): void {
    this.#giveUp ??= whenBack(() => {
      this.#giveUp = null;
      void this.send();
    });
    void navigator.serviceWorker.ready
      .then((registration) => (registration as SyncRegistration).sync?.register(SYNC))
      .catch(() => {}); // a browser without it sends at the next opening
  }

  #hear({ entry, answer }: Sent): void {
    if (entry.user !== session.id) return;
    if (answer) this.#answers.set(entry.id, answer);
    void this.load().then(() => answer && refreshAll());
  }
}

interface SyncRegistration extends ServiceWorkerRegistration {
  sync?: { register: (tag: string) => Promise<void> };
}

export const waiting = new Waiting();
