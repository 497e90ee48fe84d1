import { expect, test } from 'vitest';
import { groupByDay } from './group';

test('items of one day are grouped whatever their hour, and the order of the days is kept', () => {
  const days = groupByDay(['2024-05-02', '2024-05-01T10:00:00Z', '2024-05-02T01:00:00Z'], (day) => day);
  expect([...days]).toEqual([
    ['2024-05-02', ['2024-05-02', '2024-05-02T01:00:00Z']],
    ['2024-05-01', ['2024-05-01T10:00:00Z']],
  ]);
});
