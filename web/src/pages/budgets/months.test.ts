import { expect, test } from 'vitest';
import { isWholeMonth, isWithin, monthBefore, monthsAround } from './months';

test('the month before and after stand beside a month, but not on a phone', () => {
  expect(monthsAround('2024-01-31', false)).toEqual({ start: '2023-12-01', months: 3 });
  expect(monthsAround('2024-01-31', true)).toEqual({ start: '2024-01-01', months: 1 });
});

test('the month before January is December', () => {
  expect(monthBefore('2024-01')).toBe('2023-12');
});

test('a limit that is shorter or longer than a month is not a whole month', () => {
  expect(isWholeMonth({ start: '2024-02-01', end: '2024-02-29' }, '2024-02')).toBe(true);
  expect(isWholeMonth({ start: '2024-02-01', end: '2024-02-28' }, '2024-02')).toBe(false);
});

test('a limit that crosses the end of a month is not within it', () => {
  expect(isWithin({ start: '2024-02-05', end: '2024-02-29' }, '2024-02')).toBe(true);
  expect(isWithin({ start: '2024-02-26', end: '2024-03-03' }, '2024-02')).toBe(false);
});
