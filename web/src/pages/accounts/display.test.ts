import { expect, test } from 'vitest';
import { valuesToShow } from './display';

test('the line of a debt goes down as it is paid back', () => {
  expect(valuesToShow('liability', ['-900.50', -500])).toEqual([900.5, 500]);
  expect(valuesToShow('asset', ['-900.50', 500])).toEqual([-900.5, 500]);
});
