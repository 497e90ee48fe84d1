import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { authority, post, put, Refused } from './client';

const forged = () => new Response(JSON.stringify({ message: 'not yours', exception: 'CsrfTokenMismatchException' }), { status: 403 });
const fine = () => new Response(null, { status: 204 });
const sent = vi.fn<(url: string, request: RequestInit) => Promise<Response>>();
const headersOf = (call: number): Record<string, string> => sent.mock.calls[call]![1].headers as Record<string, string>;

beforeEach(() => {
  sent.mockReset();
  vi.stubGlobal('fetch', sent);
  authority.csrf = 'old';
});
afterEach(() => vi.unstubAllGlobals());

describe('a proof that is not the session’s any more', () => {
  it('is replaced, and the request goes out once more under the same key', async () => {
    authority.renewed = async () => ((authority.csrf = 'new'), true);
    sent.mockResolvedValueOnce(forged()).mockResolvedValueOnce(fine());
    await post('/api/v1/transactions', {} as never);
    expect(sent).toHaveBeenCalledTimes(2);
    expect([headersOf(0)['X-CSRF-Token'], headersOf(1)['X-CSRF-Token']]).toEqual(['old', 'new']);
    expect(headersOf(1)['Idempotency-Key']).toBe(headersOf(0)['Idempotency-Key']);
  });

  it('is replaced only once', async () => {
    authority.renewed = async () => true;
    sent.mockImplementation(async () => forged());
    await expect(put('/api/v1/accounts/{id}', {} as never, { path: { id: 1 } })).rejects.toThrow(Refused);
    expect(sent).toHaveBeenCalledTimes(2);
  });

  it('changes nothing when somebody else is signed in by now', async () => {
    authority.renewed = async () => false;
    sent.mockImplementation(async () => forged());
    await expect(put('/api/v1/accounts/{id}', {} as never, { path: { id: 1 } })).rejects.toThrow('not yours');
    expect(sent).toHaveBeenCalledTimes(1);
  });
});

it('takes any other refusal as it is', async () => {
  authority.renewed = vi.fn<() => Promise<boolean>>();
  sent.mockResolvedValueOnce(new Response(JSON.stringify({ message: 'no' }), { status: 403 }));
  await expect(post('/api/v1/transactions', {} as never)).rejects.toThrow('no');
  expect(authority.renewed).not.toHaveBeenCalled();
});
