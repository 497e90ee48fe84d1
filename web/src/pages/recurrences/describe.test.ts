import { expect, test } from 'vitest';
import type { RepetitionType } from './moment';
import { describeRepetition } from './describe';

test.each([
  ['daily', '', 0, 'Every day'],
  ['daily', '', 2, 'Every 3 days'],
  ['weekly', '7', 1, 'Every 2 weeks on Sunday'],
  ['monthly', '1', 0, 'Every month on the 1st'],
  ['monthly', '22', 0, 'Every month on the 22nd'],
  ['monthly', 'last', 0, 'Every month on the last day'],
  ['ndom', '2,3', 1, 'Every 2 months on the second Wednesday'],
  ['ndom', 'last,5', 0, 'Every month on the last Friday'],
  ['yearly', '2026-03-11', 0, 'Every year on 2026-03-11'],
])('%s %s %i', (type, moment, skip, expected) => {
  expect(describeRepetition(type as RepetitionType, moment, skip, (day) => day)).toBe(expected);
});
