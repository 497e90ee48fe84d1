import { describe, expect, it } from 'vitest';
import { t } from '$/messages';
import { findHindrance } from './subscription';

const words = t.occasions.devices;

describe('why a browser shows no notices', () => {
  it('is said in one sentence', () => {
    expect(findHindrance(false, false)).toBe(words.needHttps);
    expect(findHindrance(true, false)).toBe(words.unsupported);
    expect(findHindrance(true, true, 'denied')).toBe(words.denied);
    expect(findHindrance(true, true, 'default')).toBeNull();
    expect(findHindrance(true, true, 'granted')).toBeNull();
  });
});
