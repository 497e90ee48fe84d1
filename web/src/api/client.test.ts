import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { authority, forgetUnanswered, post, put, Refused, Unreachable } from './client';

const forged = () =>
  new Response(JSON.stringify({ message: 'not yours', exception: 'CsrfTokenMismatchException' }), { status: 403 });
const fine = () => new Response(null, { status: 204 });
const sent = vi.fn<(url: string, request: RequestInit) => Promise<Response>>();
const headersOf = (call: number): Record<string, string> => sent.mock.calls[call]![1].headers as Record<string, string>;

beforeEach(() => {
  sent.mockReset();
  vi.stubGlobal('fetch', sent);
  authority.csrf = 'old';
});
afterEach(() => vi.unstubAllGlobals());

describe('an outdated CSRF token', () => {
  it('is renewed, and the request is repeated with the same idempotency key', async () => {
    authority.renewToken = async () => ((authority.csrf = 'new'), true);
    sent.mockResolvedValueOnce(forged()).mockResolvedValueOnce(fine());
    await post('/api/v1/transactions', {} as never);
    expect(sent).toHaveBeenCalledTimes(2);
    expect([headersOf(0)['X-CSRF-Token'], headersOf(1)['X-CSRF-Token']]).toEqual(['old', 'new']);
    expect(headersOf(1)['Idempotency-Key']).toBe(headersOf(0)['Idempotency-Key']);
  });

  it('is renewed only once', async () => {
    authority.renewToken = async () => true;
    sent.mockImplementation(async () => forged());
    await expect(put('/api/v1/accounts/{id}', {} as never, { path: { id: 1 } })).rejects.toThrow(Refused);
    expect(sent).toHaveBeenCalledTimes(2);
  });

  it('is not renewed when another user has signed in', async () => {
    authority.renewToken = async () => false;
    sent.mockImplementation(async () => forged());
    await expect(put('/api/v1/accounts/{id}', {} as never, { path: { id: 1 } })).rejects.toThrow('not yours');
    expect(sent).toHaveBeenCalledTimes(1);
  });
});

it('any other refusal is not retried', async () => {
  authority.renewToken = vi.fn<() => Promise<boolean>>();
  sent.mockResolvedValueOnce(new Response(JSON.stringify({ message: 'no' }), { status: 403 }));
  await expect(post('/api/v1/transactions', {} as never)).rejects.toThrow('no');
  expect(authority.renewToken).not.toHaveBeenCalled();
});

describe('a request without an answer', () => {
  const keys = (): string[] => sent.mock.calls.map((_, call) => headersOf(call)['Idempotency-Key']!);
  const coffee = { description: 'Coffee' } as never;
  const tea = { description: 'Tea' } as never;
  const lost = () => sent.mockRejectedValueOnce(new TypeError()).mockRejectedValueOnce(new TypeError());
  const lastTwo = (): boolean => new Set(keys().slice(-2)).size === 1;

  beforeEach(forgetUnanswered);

  it('keeps its idempotency key when it is sent again, until it is answered', async () => {
    lost();
    await expect(post('/api/v1/transactions', coffee)).rejects.toThrow(Unreachable);
    sent.mockResolvedValueOnce(fine()).mockResolvedValueOnce(fine());
    await post('/api/v1/transactions', coffee);
    expect(new Set(keys()).size).toBe(1);
    await post('/api/v1/transactions', coffee);
    expect(lastTwo()).toBe(false);
  });

  it('has no key, and is not repeated, where the answer shows a secret once', async () => {
    sent.mockRejectedValueOnce(new TypeError());
    await expect(post('/api/v1/tokens', {} as never)).rejects.toThrow(Unreachable);
    expect(keys()).toEqual([undefined]);
  });

  it('gets a new key when its body differs, or on another page', async () => {
    lost();
    await expect(post('/api/v1/transactions', coffee)).rejects.toThrow(Unreachable);
    sent.mockImplementation(async () => fine());
    await post('/api/v1/transactions', tea);
    expect(lastTwo()).toBe(false);
    forgetUnanswered();
    await post('/api/v1/transactions', coffee);
    expect(new Set(keys()).size).toBe(3);
  });

  it('keeps its key when a proxy answered, or when the answer breaks off', async () => {
    sent.mockResolvedValueOnce(new Response('', { status: 502 }));
    await expect(post('/api/v1/transactions', coffee)).rejects.toThrow(Refused);
    sent.mockResolvedValueOnce(new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError()) })));
    await expect(post('/api/v1/transactions', coffee)).rejects.toThrow(Unreachable);
    sent.mockResolvedValueOnce(fine());
    await post('/api/v1/transactions', coffee);
    expect(new Set(keys()).size).toBe(1);
  });
});
