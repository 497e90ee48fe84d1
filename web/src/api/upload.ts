// Uploads a file and reports progress. fetch reports none, so this uses XMLHttpRequest.
import { address, proven, refused, Unreachable, type Answered } from './client';
import { parse } from './exact';

export interface Progress {
  /** 0 to 1. */
  share: (share: number) => void;
  signal?: AbortSignal;
}

export function upload<T>(path: string, body: FormData, key: string, progress: Progress): Promise<Answered<T>> {
  return proven((proof) => uploaded(path, body, { 'Idempotency-Key': key, ...proof }, progress));
}

function uploaded<T>(
  path: string,
  body: FormData,
  headers: Record<string, string>,
  { share, signal }: Progress,
): Promise<Answered<T>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address(path));
    request.setRequestHeader('Accept', 'application/vnd.api+json, application/json');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => lengthComputable && share(loaded / total);
    request.onerror = () => reject(new Unreachable());
    request.onabort = () => reject(new DOMException('', 'AbortError'));
    request.onload = () => {
      const header = (name: string): string | null => request.getResponseHeader(name);
      if (request.status >= 300) reject(refused(request.status, request.responseText, header, request.statusText));
      else
        resolve({
          data: parse(request.responseText) as T,
          etag: header('ETag'),
          revision: header('Farthing-Revision'),
        });
    };
    signal?.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}
