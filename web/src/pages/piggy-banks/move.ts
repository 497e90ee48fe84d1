// What a piggy bank holds after money is put in or taken out, or why the move is refused.
import { parseUnits } from '$/money/parse';

export type Direction = 'in' | 'out';
export type MoveProblem = 'missing' | 'unreadable' | 'notPositive' | 'tooMuch' | 'aboveTarget';

export interface PiggyBankAmounts {
  units: bigint;
  target: bigint;
  decimals: number;
}

export function amountAfter(
  bank: PiggyBankAmounts,
  direction: Direction,
  amount: string,
): { units: bigint } | { problem: MoveProblem } {
  if (!amount.trim()) return { problem: 'missing' };
  const step = parseUnits(amount, bank.decimals);
  if (step === null) return { problem: 'unreadable' };
  // The direction is chosen in the form, not by a sign.
  if (step <= 0n) return { problem: 'notPositive' };
  const units = bank.units + (direction === 'in' ? step : -step);
  if (units < 0n) return { problem: 'tooMuch' };
  return direction === 'in' && units > bank.target ? { problem: 'aboveTarget' } : { units };
}
