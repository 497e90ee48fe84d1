// Uploads a file and reports progress. fetch reports none, so this uses XMLHttpRequest.
import { authority, booksHeader, buildUrl, withCsrfToken, toRefusal, Unreachable, type Answer } from './client';
import { parse } from './exact';

export interface UploadOptions {
  /** 0 to 1. */
  onProgress: (share: number) => void;
  signal?: AbortSignal;
}

export function upload<T>(path: string, body: FormData, key: string, options: UploadOptions): Promise<Answer<T>> {
  return withCsrfToken((csrfHeader) =>
    sendForm(path, body, { 'Idempotency-Key': key, ...booksHeader(), ...csrfHeader }, options),
  );
}

function sendForm<T>(
  path: string,
  body: FormData,
  headers: Record<string, string>,
  { onProgress, signal }: UploadOptions,
): Promise<Answer<T>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', buildUrl(path));
    request.setRequestHeader('Accept', 'application/vnd.api+json, application/json');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => lengthComputable && onProgress(loaded / total);
    request.onerror = () => reject(new Unreachable());
    request.onabort = () => reject(new DOMException('', 'AbortError'));
    request.onload = () => {
      const header = (name: string): string | null => request.getResponseHeader(name);
      if (request.status >= 300)
        return reject(toRefusal(request.status, request.responseText, header, request.statusText));
      const revision = header('Farthing-Revision');
      if (revision) authority.onChanged(Number(revision));
      resolve({ data: parse(request.responseText) as T, etag: header('ETag'), revision });
    };
    signal?.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}
