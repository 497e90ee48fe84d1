import { describe, expect, it } from 'vitest';
import { decode, encode, explain, findHindrance } from './passkeys';

const at = (href: string): URL => new URL(href);

describe('passkeys', () => {
  it('write bytes as the API does, and read them back', () => {
    const bytes = Uint8Array.from([0, 251, 255, 62, 63, 1, 2]);

    expect(encode(bytes.buffer)).toBe('APv_Pj8BAg');
    expect(decode('APv_Pj8BAg')).toEqual(bytes);
  });

  it('work at names, with https or at localhost', () => {
    expect(findHindrance(at('https://money.example/#/'), true, true)).toBeNull();
    expect(findHindrance(at('http://localhost:8000/'), true, true)).toBeNull();
  });

  it('offer localhost instead of its number', () => {
    for (const host of ['127.0.0.1', '[::1]']) {
      const found = findHindrance(at(`http://${host}:8000/money/#/settings/security`), true, true);
      expect(found?.instead).toBe('http://localhost:8000/money/#/settings/security');
    }
  });

  it('do not work at other numbers, without https, and in old browsers', () => {
    expect(findHindrance(at('http://192.168.1.5:8000/'), false, false)?.reason).toContain('FARTHING_BASE_URL');
    expect(findHindrance(at('https://192.168.1.5/'), true, true)?.reason).toContain('FARTHING_BASE_URL');
    expect(findHindrance(at('http://money.example/'), false, false)?.reason).toContain('https');
    expect(findHindrance(at('https://money.example/'), false, true)?.reason).toContain('cannot use passkeys');
  });

  it('explain what a browser reports', () => {
    expect(explain('NotAllowedError')).toContain('cancelled');
    expect(explain('InvalidStateError')).toContain('already');
    expect(explain('Anything')).toContain('Try again');
  });
});
