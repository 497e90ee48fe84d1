import { expect, test } from 'vitest';
import { daysBetween, monthOf, addDays, addMonths, show, showFrom, today } from './days';

test('adding days works across months, leap years and daylight saving time', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(daysBetween('2026-03-01', '2026-04-01')).toBe(31);
});

test('the 31st becomes the last day of a shorter month', () => {
  expect(addMonths('2024-01-31', 1)).toBe('2024-02-29');
  expect(addMonths('2024-01-31', -2)).toBe('2023-11-30');
  expect(addMonths('2024-12-15', 1)).toBe('2025-01-15');
});

test('a month has its first and last day', () => {
  expect(monthOf('2026-02-14')).toEqual({ start: '2026-02-01', end: '2026-02-28' });
});

test('today depends on the chosen time zone', () => {
  const now = new Date('2026-11-15T23:30:00Z');
  expect(today('UTC', now)).toBe('2026-11-15');
  expect(today('Asia/Tokyo', now)).toBe('2026-11-16');
});

test('a day of another year is shown with its year', () => {
  expect(showFrom('2026-11-15', '2026-01-31', 'en-US', 'short')).toBe('Jan 31');
  expect(showFrom('2026-11-15', '2025-01-31', 'en-US', 'short')).toBe('Jan 31, 2025');
  expect(showFrom('2026-11-15', '2026-01-31', 'en-US', 'weekday')).toBe('Sat, Jan 31');
  expect(showFrom('2026-11-15', '2027-01-31', 'en-US', 'weekday')).toBe('Sun, Jan 31, 2027');
  expect(showFrom('2026-11-15', '2027-01-31', 'en-US', 'month')).toBe('January 2027');
});

test('a day is shown unchanged in every time zone', () => {
  expect(show('2026-11-15', 'en-US')).toBe('Nov 15, 2026');
});
