import { expect, test } from 'vitest';
import { guessRegion } from './region';

test.each([
  ['de-DE', 'de_DE', 'EUR'],
  ['de', 'de_DE', 'EUR'],
  ['de-CH', 'de_CH', 'CHF'],
  ['en', 'en_US', 'USD'],
  ['en-GB', 'en_GB', 'GBP'],
  ['zh-Hans-CN', 'zh_CN', 'CNY'],
])('%s is %s and pays in %s', (language, expected, currency) => {
  const region = guessRegion(language, 'Europe/Berlin');
  expect(region).toEqual({ language: expected, timezone: 'Europe/Berlin', currency_code: currency });
});
