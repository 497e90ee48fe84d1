import { expect, test } from 'vitest';
import { kindOf } from './preview';

test('only what cannot run is shown', () => {
  expect(kindOf('image/png')).toBe('image');
  expect(kindOf('application/pdf')).toBe('pdf');
  for (const mime of ['text/html', 'image/svg+xml', 'text/plain', 'application/xhtml+xml', ''])
    expect(kindOf(mime)).toBeNull();
});
