import { expect, test } from 'vitest';
import { dayAfterKey, weeksOf } from './calendar';

const [MONDAY, SUNDAY] = [1, 7];

test('a month is shown in whole weeks that begin as the region has it', () => {
  const ours = weeksOf('2026-03-17', MONDAY);
  expect([ours.length, ours[0]![0], ours.at(-1)!.at(-1)]).toEqual([6, '2026-02-23', '2026-04-05']);
  expect(weeksOf('2026-03-17', SUNDAY)[0]![0]).toBe('2026-03-01');
  expect(weeksOf('2026-02-10', SUNDAY)).toHaveLength(4);
});

test.each([
  ['ArrowLeft', false, '2026-03-30'],
  ['ArrowRight', false, '2026-04-01'],
  ['ArrowUp', false, '2026-03-24'],
  ['ArrowDown', false, '2026-04-07'],
  ['PageUp', false, '2026-02-28'],
  ['PageDown', false, '2026-04-30'],
  ['PageUp', true, '2025-03-31'],
  ['Home', false, '2026-03-30'],
  ['End', false, '2026-04-05'],
  ['a', false, null],
])('%s leads from 31 March to %s', (key, shiftKey, expected) => {
  expect(dayAfterKey('2026-03-31', { key, shiftKey }, MONDAY)).toBe(expected);
});
