import { expect, test } from 'vitest';
import { sumParts, type BudgetsReport } from './budgets';

type Row = BudgetsReport['data'][number];
const one = (row: string, limit: string | null, spent: string) =>
  ({ row: { row }, amounts: { parts: [{ limit, spent }] } }) as unknown as {
    row: Row;
    amounts: Row['amounts'][number];
  };

test('what was spent without a budget is not compared with the budgets', () => {
  const rows = [one('label', '100', '80'), one('label', '50', '60'), one('none', null, '900')];
  expect(sumParts(rows, 2, 'spent')).toEqual([14000n]);
  expect(sumParts(rows, 2, 'limit')).toEqual([15000n]);
});
