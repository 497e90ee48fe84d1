// Money on its way between two budgets of a month, dragged or chosen by keyboard.
import type { BudgetMonths } from '$/api/types';
import { toUnits } from '$/money/money';

export interface MoneyMove {
  month: string;
  /** Ids of budgets; empty for the money that is not budgeted. */
  from: string;
  to: string;
}

/** Where the dragged money comes from. */
export const dragged = $state<{ from: MoneyMove | null }>({ from: null });

/** What can be moved out of a budget: its limit in the month and what it carried over, but no more than is left. */
export function mostOf(all: BudgetMonths, { month, from }: MoneyMove): bigint {
  const cell = all.budgets.find((budget) => String(budget.id) === from)?.months.find((one) => one.month === month);
  if (!cell) return 0n;
  const [limit, carried, left] = [cell.limit, cell.carried, cell.left].map((one) => toUnits(one, all.currency_dp));
  const most = limit! + (carried! > 0n ? carried! : 0n);
  return most < left! ? most : left!;
}

/** Properties of an element from which money can be dragged, and onto which it can be dropped. */
export function dragHandlers(month: string, id: string, move: (wanted: MoneyMove) => void) {
  return {
    ondragstart: (event: DragEvent) => {
      event.dataTransfer?.setData('text/plain', id);
      dragged.from = { month, from: id, to: '' };
    },
    ondragend: () => (dragged.from = null),
    ondragover: (event: DragEvent) => {
      if (dragged.from && dragged.from.month === month && dragged.from.from !== id) event.preventDefault();
    },
    ondrop: (event: DragEvent) => {
      event.preventDefault();
      if (dragged.from) move({ ...dragged.from, to: id });
      dragged.from = null;
    },
  };
}
