import { describe, expect, it, test } from 'vitest';
import { parseDay, writeDay } from './typed';

const TODAY = '2026-03-17';

describe('a typed date', () => {
  it.each([
    ['today', '2026-03-17'],
    ['Yesterday', '2026-03-16'],
    ['tomorrow', '2026-03-18'],
    ['-1', '2026-03-16'],
    ['+14', '2026-03-31'],
    ['15', '2026-03-15'],
    ['3/4', '2026-04-03'],
    ['3.4.', '2026-04-03'],
    ['3-4', '2026-04-03'],
    ['3 4 24', '2024-04-03'],
    ['03/04/2024', '2024-04-03'],
    ['2024-04-03', '2024-04-03'],
    ['2024/4/3', '2024-04-03'],
    ['12/25', '2026-12-25'],
    ['12/25/99', '1999-12-25'],
    ['3 April', '2026-04-03'],
    ['Apr 3, 2024', '2024-04-03'],
    ['Tuesday 3 march 2026', '2026-03-03'],
    ['29/2/2024', '2024-02-29'],
    [' 3 / 4 ', '2026-04-03'],
  ])('%s is %s in Great Britain', (given, expected) => {
    expect(parseDay(given, TODAY, 'en-GB')).toBe(expected);
  });

  it.each([
    '',
    'soon',
    '31/4',
    '29/2/2026',
    '0',
    '32',
    '3/4/5/6',
    '13/13',
    '-99999',
    '2026-02-30',
    '3/4/20245',
    'ma 3',
  ])('%s is none', (given) => {
    expect(parseDay(given, TODAY, 'en-GB')).toBeNull();
  });

  it('is read in the order of the region', () => {
    expect(parseDay('3/4', TODAY, 'en-US')).toBe('2026-03-04');
    expect(parseDay('3/4/25', TODAY, 'en-US')).toBe('2025-03-04');
    expect(parseDay('25/12', TODAY, 'en-US')).toBe('2026-12-25');
    expect(parseDay('3.4.2024', TODAY, 'de-DE')).toBe('2024-04-03');
    expect(parseDay('24.4.3', TODAY, 'ja-JP')).toBe('2024-04-03');
  });

  it('is read in the words of the region, or in English', () => {
    expect(parseDay('heute', TODAY, 'de-DE')).toBe(TODAY);
    expect(parseDay('3. März', TODAY, 'de-DE')).toBe('2026-03-03');
    expect(parseDay('today', TODAY, 'de-DE')).toBe(TODAY);
    expect(parseDay('1 août 2025', TODAY, 'fr-FR')).toBe('2025-08-01');
  });
});

test.each(['en-US', 'en-GB', 'de-DE', 'fr-FR', 'ja-JP', 'hu-HU', 'ar-EG', 'fa-IR', 'th-TH', 'lt-LT', 'ko-KR', 'bg-BG'])(
  'a date that is written for %s is read back',
  (locale) => {
    for (const day of ['2026-01-31', '2026-12-01', '1999-02-03', '2024-02-29'])
      expect([writeDay(day, locale), parseDay(writeDay(day, locale), TODAY, locale)]).toEqual([
        writeDay(day, locale),
        day,
      ]);
  },
);
