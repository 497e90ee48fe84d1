import { expect, test } from 'vitest';
import { writeForRegion } from './sentences';

const isCurrency = (code: string): boolean => ['EUR', 'JPY'].includes(code);
const write = (text: string): string => writeForRegion(text, 'de-DE', isCurrency).replaceAll('\u00a0', ' ');

test.each([
  ['The amount must be at most EUR 1300.00, the limit.', 'The amount must be at most 1.300,00 €, the limit.'],
  ['Only 12.50 EUR are free, and 900 JPY.', 'Only 12,50 € are free, and 900 ¥.'],
  ['It is dated 2024-05-20.', 'It is dated 20. Mai 2024.'],
  ['“Rent 300.00 EUR 2024-05-20” is 5.00 EUR.', '“Rent 300.00 EUR 2024-05-20” is 5,00 €.'],
  ['The id 12 THE row 1.2.3 EUR and 9999-99-99', 'The id 12 THE row 1.2.3 EUR and 9999-99-99'],
])('%s is written for the region', (text, written) => {
  expect(write(text)).toBe(written);
});
