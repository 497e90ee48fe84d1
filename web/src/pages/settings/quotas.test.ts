import { expect, test } from 'vitest';
import { inBytes, inMegabytes } from './quotas';

test('limits are typed in megabytes, and empty means none', () => {
  expect(inBytes('')).toBeNull();
  expect(inBytes(' 1,5 ')).toBe(1_500_000);
  expect(inBytes('0')).toBe(0);
  expect(inBytes('much')).toBe('much');
  expect(inMegabytes(null)).toBe('');
  expect(inMegabytes(1_500_000)).toBe('1.5');
});
