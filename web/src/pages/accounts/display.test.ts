import { expect, test } from 'vitest';
import { valuesToShow } from './display';

test('a debt that is paid back goes down, as the figure beside it does', () => {
  expect(valuesToShow('liability', ['-900.50', -500])).toEqual([900.5, 500]);
  expect(valuesToShow('asset', ['-900.50', 500])).toEqual([-900.5, 500]);
});
