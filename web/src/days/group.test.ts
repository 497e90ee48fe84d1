import { expect, test } from 'vitest';
import { groupByDay } from './group';

test('things of a day stand together, whatever their hour, in the order of the days', () => {
  const days = groupByDay(['2024-05-02', '2024-05-01T10:00:00Z', '2024-05-02T01:00:00Z'], (day) => day);
  expect([...days]).toEqual([
    ['2024-05-02', ['2024-05-02', '2024-05-02T01:00:00Z']],
    ['2024-05-01', ['2024-05-01T10:00:00Z']],
  ]);
});
