import { expect, test } from 'vitest';
import { previewKindOf } from './preview';

test('only files that cannot run scripts are previewed', () => {
  expect(previewKindOf('image/png')).toBe('image');
  expect(previewKindOf('application/pdf')).toBe('pdf');
  for (const mime of ['text/html', 'image/svg+xml', 'text/plain', 'application/xhtml+xml', ''])
    expect(previewKindOf(mime)).toBeNull();
});
