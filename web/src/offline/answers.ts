// Keeps what the pages have read, for one person and their books, and gives it back where the server does not answer.
import { authority, base, Refused, Unreachable, type RawAnswer } from '$/api/client';
import { refreshAll } from '$/shell/load.svelte';
import { whenBack } from '$/shell/reconnect';
import { deriveAnswer } from './derive';
import { device, scope } from './device.svelte';
import { run, type KeptAnswer } from './store';

/** What belongs to the books. Sessions, tokens, devices and searches are not kept. */
const KEPT =
  /^api\/v1\/(accounts|autocomplete|available_budgets|bills|budgets|chart|currencies|dashboard|preferences|session|revision|transactions|upcoming)([/?]|$)/;
const SESSION = /^api\/v1\/session$/;
/** Where the network is too slow, the page shows what is kept first. */
const PATIENCE_MS = 2500;
const MOST = 400;
/** A proxy answers for a server that is not there. */
const NOT_THERE = [502, 503, 504];

const addressOf = (url: string): string => url.slice(base.href.length);
const placeOf = (user: string): string => `${user}/${authority.books}`;

/** Answers for one user, until somebody signs out. */
export class KeptAnswers {
  #isWaiting = false;
  #isOver = false;

  constructor(
    private readonly user: string,
    /** Called when the server answers again. */
    private readonly onBack: () => void,
  ) {}

  /** From now on nothing is kept or given back. */
  end(): void {
    this.#isOver = true;
  }

  async answer(url: string, ask: () => Promise<RawAnswer>): Promise<RawAnswer> {
    const address = addressOf(url);
    if (this.#isOver || !KEPT.test(address)) return ask();
    const place = placeOf(this.user);
    const network = ask().then((answer) => {
      void this.#keep(place, address, answer);
      return answer;
    });
    try {
      return await Promise.race([network, this.#findLater(place, address, network)]);
    } catch (error) {
      const isMissing = error instanceof Unreachable || (error instanceof Refused && NOT_THERE.includes(error.status));
      const kept = isMissing ? await this.#find(place, address) : null;
      if (kept) return kept;
      throw error;
    }
  }

  /** Never resolves where nothing is kept, or where the network is fast enough. */
  async #findLater(place: string, address: string, network: Promise<unknown>): Promise<RawAnswer> {
    let isThere = false;
    network.then(
      () => (isThere = true),
      () => (isThere = true),
    );
    await new Promise((resume) => setTimeout(resume, PATIENCE_MS));
    const kept = isThere ? null : await this.#find(place, address);
    return kept ?? new Promise<never>(() => {});
  }

  async #find(place: string, address: string): Promise<RawAnswer | null> {
    const kept = await findKept(place, address);
    if (!kept || this.#isOver) return null;
    if (SESSION.test(address)) device.day = device.dayOf(place);
    device.showsKept(kept.at);
    this.#waitForNetwork();
    return { text: kept.text, etag: kept.etag, revision: null };
  }

  #waitForNetwork(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    whenBack(() => {
      this.#isWaiting = false;
      if (this.#isOver) return;
      [device.asOf, device.day] = [null, null];
      this.onBack();
      refreshAll();
    });
  }

  async #keep(place: string, url: string, { text, etag }: RawAnswer): Promise<void> {
    // Another tab may have signed out meanwhile, and has deleted everything.
    if (this.#isOver || localStorage.getItem('been-here') !== this.user) return;
    const stored = SESSION.test(url) ? text.replace(/"csrf_token":\s*"[^"]*"/, '"csrf_token":""') : text;
    await putAnswer({ place, url, text: stored, etag, at: Date.now() });
  }
}

async function findKept(place: string, url: string): Promise<KeptAnswer | null> {
  const kept = await run<KeptAnswer | undefined>(scope, 'answers', 'readonly', (store) => store.get([place, url]));
  return kept ?? deriveAnswer(url, await listKept(place));
}

async function listKept(place: string): Promise<KeptAnswer[]> {
  const range = IDBKeyRange.bound([place, ''], [place, '\uffff']);
  return run(scope, 'answers', 'readonly', (store) => store.getAll(range));
}

async function putAnswer(answer: KeptAnswer): Promise<void> {
  await run(scope, 'answers', 'readwrite', (store) => store.put(answer)).catch(() => {}); // the disk may be full
}

/** Deletes the oldest answers, so that a device keeps what was looked at last. */
export async function forgetOldest(user: string): Promise<void> {
  const all = await listKept(placeOf(user));
  all.sort((one, other) => other.at - one.at);
  for (const { place, url } of all.slice(MOST))
    await run(scope, 'answers', 'readwrite', (store) => store.delete([place, url]));
}

/** Deletes all answers, or only those of other users. */
export async function forgetAnswers(except: string | null = null): Promise<void> {
  const keys = await run(scope, 'answers', 'readonly', (store) => store.getAllKeys());
  const others = (keys as [string, string][]).filter(([place]) => !except || !place.startsWith(`${except}/`));
  for (const key of others) await run(scope, 'answers', 'readwrite', (store) => store.delete(key));
}
