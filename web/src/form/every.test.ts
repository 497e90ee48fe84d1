import { expect, test } from 'vitest';
import { toEvery, toSkip } from './every';

test('every second month leaves out one', () => {
  expect([toEvery('0'), toEvery(1), toEvery('')]).toEqual(['1', '2', '1']);
  expect([toSkip('1', 32), toSkip(2, 32), toSkip('', 32), toSkip('32', 32)]).toEqual(['0', '1', '0', '31']);
});

test('only whole numbers within the limit can be chosen', () => {
  expect(['0', '33', '-1', '1.5', 'x'].map((every) => toSkip(every, 32))).toEqual([null, null, null, null, null]);
});
