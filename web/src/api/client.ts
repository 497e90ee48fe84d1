// The API client, typed by the OpenAPI document. Every failure is a Refused or an Unreachable.
import { parse } from './exact';
import { language } from '$/messages';
import type { paths } from './schema';

type Method = 'get' | 'post' | 'put' | 'delete';
type Operation<P extends keyof paths, M extends Method> = Exclude<paths[P][M], undefined>;
type PathWith<M extends Method> = { [P in keyof paths]: [Operation<P, M>] extends [never] ? never : P }[keyof paths];
/** Some answers can also be had as CSV, to be downloaded. */
type Content<A> = A extends { content: infer C } ? C[Exclude<keyof C, 'text/csv'>] : undefined;
type ResponseBody<O> = O extends { responses: { 200: infer A } } ? Content<A> : undefined;
type RequestBody<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? B : undefined;
type Query<O> = O extends { parameters: { query?: infer Q } } ? Q : undefined;

/** The names in a path, such as `id` in `/accounts/{id}`. */
type PathParameter<P extends string> = P extends `${string}{${infer N}}${infer Rest}` ? N | PathParameter<Rest> : never;

export interface Options<P extends string, O> {
  path?: Record<PathParameter<P>, string | number>;
  query?: Query<O>;
  /** The ETag that was read: the server refuses if someone changed the object since. */
  match?: string | null;
  signal?: AbortSignal;
}

export interface Answer<T> {
  data: T;
  etag: string | null;
  /** The change that this request made; notices use it to undo the change. */
  revision: string | null;
}

/** The server refused the request; `fields` has the reasons by field. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly fields: Record<string, string[]>,
    readonly retryAfter: number,
    readonly requestId: string | null,
    /** The API's name for the reason. */
    readonly exception: string | null = null,
    /** What else has to be known to go on. */
    readonly meta: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

/** The server did not answer. */
export class Unreachable extends Error {}

export const base = new URL('.', typeof document === 'undefined' ? 'http://localhost/' : document.baseURI);
const SAFE = new Set(['GET', 'HEAD']);
const CSRF_MISMATCH = 'CsrfTokenMismatchException';

interface Authority {
  /** The CSRF token, sent with every request that changes something (see docs/api/sessions.md). */
  csrf: string;
  /** Called when the session has ended. */
  onSignedOut: () => void;
  /** Called when the CSRF token is outdated because another tab signed in. True when there is a new one for the same user. */
  renewToken: () => Promise<boolean>;
  /** The books of another in which this tab works, by the id of their owner; empty in one's own. */
  books: string;
  /** Called when something was not found in the books of another: they may no longer be shared. */
  onNotFound: () => void;
  /** Called with the revision of each change that this tab made. */
  onChanged: (revision: number) => void;
  /** What this device keeps for whoever is signed in; null when they did not ask for that. */
  kept: { answer: (url: string, ask: () => Promise<RawAnswer>) => Promise<RawAnswer>; end: () => void } | null;
}

/** An answer as it came. */
export interface RawAnswer {
  text: string;
  etag: string | null;
  revision: string | null;
}

export const authority: Authority = {
  csrf: '',
  onSignedOut: () => {},
  renewToken: () => Promise.resolve(false),
  books: '',
  onNotFound: () => {},
  onChanged: () => {},
  kept: null,
};

/** Sent with every request, so that it is about the books that this tab shows. */
export function booksHeader(): Record<string, string> {
  return authority.books ? { 'Farthing-Books': authority.books } : {};
}

export function buildUrl(path: string, names: Record<string, string | number> = {}, query: object = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(names[name])));
  const url = new URL(filled.replace(/^\//, ''), base);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, String(value));
  }
  return url.href;
}

/** The address of a download. A link sends no header, so the address names the books. */
export function buildLink(path: string, names: Record<string, string | number> = {}, query: object = {}): string {
  return buildUrl(path, names, { ...query, books: authority.books });
}

export function createKey(): string {
  // randomUUID exists only with TLS or on localhost, and a home network may have neither.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface SendOptions {
  body?: BodyInit;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export async function send(method: string, url: string, init: SendOptions = {}): Promise<Response> {
  const headers: Record<string, string> = {
    Accept: 'application/vnd.api+json, application/json',
    // Before anybody is signed in, this decides in which language the server answers.
    'Accept-Language': language,
    ...booksHeader(),
    ...init.headers,
  };
  const request = {
    method,
    headers,
    body: init.body ?? null,
    signal: init.signal ?? null,
    credentials: 'same-origin' as const,
  };
  return withCsrfToken(async (csrfHeader) => {
    const response = await fetchWithRetry(
      url,
      SAFE.has(method) ? request : { ...request, headers: { ...headers, ...csrfHeader } },
    );
    if (!response.ok) throw await readRefusal(response);
    return response;
  });
}

/** Sends the CSRF token. If the session has a new one by now, tries once more with it. */
export async function withCsrfToken<T>(attempt: (csrfHeader: Record<string, string>) => Promise<T>): Promise<T> {
  const csrfHeader = (): Record<string, string> => (authority.csrf ? { 'X-CSRF-Token': authority.csrf } : {});
  try {
    return await attempt(csrfHeader());
  } catch (error) {
    if (!(error instanceof Refused && error.exception === CSRF_MISMATCH && (await authority.renewToken()))) throw error;
    return attempt(csrfHeader());
  }
}

/** Retries once after a lost answer: reads are safe to repeat, and so is a POST with an idempotency key. */
async function fetchWithRetry(url: string, request: RequestInit): Promise<Response> {
  const isSafe = request.method === 'GET' || new Headers(request.headers).has('Idempotency-Key');
  try {
    return await fetch(url, request);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    if (!isSafe) throw new Unreachable();
  }
  try {
    return await fetch(url, request);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new Unreachable();
  }
}

async function readRefusal(response: Response): Promise<Refused> {
  return toRefusal(
    response.status,
    await response.text().catch(() => ''),
    (name) => response.headers.get(name),
    response.statusText,
  );
}

/** The refusal in an answer, whether fetch or XMLHttpRequest received it. */
export function toRefusal(
  status: number,
  body: string,
  header: (name: string) => string | null,
  fallback: string,
): Refused {
  let parsed: {
    message?: string;
    errors?: Record<string, string[]>;
    exception?: string;
    meta?: Record<string, unknown>;
  } = {};
  try {
    parsed = JSON.parse(body) as typeof parsed;
  } catch {
    // A proxy answered, not Farthing.
  }
  if (status === 401) authority.onSignedOut();
  if (status === 404 && authority.books) authority.onNotFound();
  return new Refused(
    status,
    parsed.message ?? fallback,
    parsed.errors ?? {},
    Number(header('Retry-After') ?? 0),
    header('X-Request-Id'),
    parsed.exception ?? null,
    parsed.meta ?? {},
  );
}

/** Idempotency keys of unanswered requests: the same request sent again from the same page reuses its key. */
const unanswered = new Map<string, string>();

/** Called on another page, where an equal request is a new one. */
export function forgetUnanswered(): void {
  unanswered.clear();
}

/** Reads the whole answer; one that breaks off counts as unreachable. */
async function sendAndRead(method: string, url: string, init: SendOptions): Promise<RawAnswer> {
  const response = await send(method, url, init);
  const text = await response.text().catch(() => {
    throw new Unreachable();
  });
  return { text, etag: response.headers.get('ETag'), revision: response.headers.get('Farthing-Revision') };
}

/** Their answers show a secret once, so the server keeps none of them, and refuses a key. */
const SHOWS_SECRET =
  /\/api\/v1\/(tokens|invitations|apps|authorization|factors(\/[^?]*)?|webhooks(\/[^/]+\/secret)?)(\?|$)/;

async function postOnce(url: string, init: SendOptions): Promise<RawAnswer> {
  if (SHOWS_SECRET.test(url)) return await sendAndRead('POST', url, init);
  const request = `${url} ${String(init.body)}`;
  const key = unanswered.get(request) ?? createKey();
  unanswered.delete(request);
  try {
    return await sendAndRead('POST', url, { ...init, headers: { ...init.headers, 'Idempotency-Key': key } });
  } catch (error) {
    // A proxy that answers for an unreachable server cannot know whether the request was carried out.
    if (error instanceof Unreachable || (error instanceof Refused && error.status >= 500)) unanswered.set(request, key);
    throw error;
  }
}

/** Changes whose answer is still on its way. */
export const pending = { writes: 0 };

async function exchange<T>(
  method: string,
  path: string,
  options: Options<string, never>,
  body?: unknown,
): Promise<Answer<T>> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (options.match) headers['If-Match'] = options.match;
  const url = buildUrl(path, options.path, options.query ?? {});
  const init = { headers, body: body === undefined ? undefined : JSON.stringify(body), signal: options.signal };
  if (!SAFE.has(method)) pending.writes++;
  try {
    if (method === 'POST') return readAnswer(await postOnce(url, init));
    const ask = (): Promise<RawAnswer> => sendAndRead(method, url, init);
    return readAnswer(await (method === 'GET' && authority.kept ? authority.kept.answer(url, ask) : ask()));
  } finally {
    if (!SAFE.has(method)) pending.writes--;
  }
}

function readAnswer<T>({ text, etag, revision }: RawAnswer): Answer<T> {
  if (revision) authority.onChanged(Number(revision));
  return { data: (text ? parse(text) : undefined) as T, etag, revision };
}

/** Reads an object together with its ETag, to change it later. */
export function read<P extends PathWith<'get'>>(
  path: P,
  options: Options<P, Operation<P, 'get'>> = {},
): Promise<Answer<ResponseBody<Operation<P, 'get'>>>> {
  return exchange('GET', path, options as Options<string, never>);
}

export async function get<P extends PathWith<'get'>>(
  path: P,
  options: Options<P, Operation<P, 'get'>> = {},
): Promise<ResponseBody<Operation<P, 'get'>>> {
  return (await read(path, options)).data;
}

export function post<P extends PathWith<'post'>>(
  path: P,
  body: RequestBody<Operation<P, 'post'>>,
  options: Options<P, Operation<P, 'post'>> = {},
): Promise<Answer<ResponseBody<Operation<P, 'post'>>>> {
  return exchange('POST', path, options as Options<string, never>, body ?? {});
}

export function put<P extends PathWith<'put'>>(
  path: P,
  body: RequestBody<Operation<P, 'put'>>,
  options: Options<P, Operation<P, 'put'>> = {},
): Promise<Answer<ResponseBody<Operation<P, 'put'>>>> {
  return exchange('PUT', path, options as Options<string, never>, body);
}

/** A few deletions take a body: a proof of who asks. */
export function remove<P extends PathWith<'delete'>>(
  path: P,
  options: Options<P, Operation<P, 'delete'>> = {},
  body?: RequestBody<Operation<P, 'delete'>>,
): Promise<Answer<unknown>> {
  return exchange('DELETE', path, options as Options<string, never>, body);
}
