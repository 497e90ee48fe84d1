import { expect, test } from 'vitest';
import { describeAmounts, describeDays } from './chips';

test('whole months and years are shown by their names', () => {
  const days = (start?: string, end?: string): string =>
    describeDays({ ...(start && { start }), ...(end && { end }) }, 'en-US');
  expect(days('2026-02-01', '2026-02-28')).toBe('February 2026');
  expect(days('2024-01-01', '2024-12-31')).toBe('2024');
  expect(days('2026-02-03', '2026-02-03')).toBe('Feb 3, 2026');
  expect(days('2026-02-01', '2026-03-31')).toBe('Feb 1, 2026 – Mar 31, 2026');
  expect(days('2026-02-01')).toBe('From: Feb 1, 2026');
  expect(days(undefined, '2026-02-01')).toBe('To: Feb 1, 2026');
});

test('an amount one cent above or below another is shown as over or under it', () => {
  expect(describeAmounts({ amount_min: '4.01' })).toBe('Amount: over 4');
  expect(describeAmounts({ amount_min: '4', amount_max: '9.49' })).toBe('Amount: from 4, under 9.50');
  expect(describeAmounts({ amount_min: '8.40', amount_max: '8.40' })).toBe('Amount: 8.40');
  expect(describeAmounts({ amount_max: '0.01' })).toBe('Amount: up to 0.01');
  expect(describeAmounts({ amount_min: 'x' })).toBe('Amount: from x');
});
