// Listens for events of the server. Uses fetch, because an EventSource can neither name the books nor show silence.
import { booksHeader, buildUrl } from './client';

/** The server sends something at once, and then at least every 15 seconds. A proxy may swallow all of it. */
const FIRST_MS = 20_000;
const SILENCE_MS = 40_000;

interface Stream {
  signal: AbortSignal;
  /** Called with the revision of the books, at first and after each change. */
  onRevision: (revision: number) => void;
}

/** How a stream ended: whether the server refused it, and when to return, which only the server says. */
interface Ending {
  isRefused: boolean;
  returnMs: number | null;
}

/** Listens until the stream ends or falls silent. */
export async function listen({ signal, onRevision }: Stream): Promise<Ending> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  signal.addEventListener('abort', end);
  let timer = setTimeout(end, FIRST_MS);
  let returnMs: number | null = null;
  try {
    const response = await fetch(buildUrl('/api/v1/events'), {
      headers: { Accept: 'text/event-stream', ...booksHeader() },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: ending.signal,
    });
    if (!response.ok || !response.body) return { isRefused: true, returnMs };
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return { isRefused: false, returnMs };
      clearTimeout(timer);
      timer = setTimeout(end, SILENCE_MS);
      const events = (text + value).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        const retry = /^retry: (\d+)$/m.exec(event)?.[1];
        if (retry) returnMs = Number(retry);
        if (data) onRevision((JSON.parse(data) as { revision: number }).revision);
      }
    }
  } catch {
    // The stream broke off, or nobody listens any more.
    return { isRefused: false, returnMs };
  } finally {
    clearTimeout(timer);
    ending.abort();
    signal.removeEventListener('abort', end);
  }
}
