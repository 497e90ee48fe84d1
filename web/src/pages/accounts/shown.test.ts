import { expect, test } from 'vitest';
import { courseShown } from './shown';

test('a debt that is paid back goes down, as the figure beside it does', () => {
  expect(courseShown('liability', ['-900.50', -500])).toEqual([900.5, 500]);
  expect(courseShown('asset', ['-900.50', 500])).toEqual([-900.5, 500]);
});
