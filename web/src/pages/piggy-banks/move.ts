// What a piggy bank holds after money is put in or taken out, or why the move is refused.
import { parseUnits } from '$/money/parse';

export type Way = 'in' | 'out';
export type Reason = 'missing' | 'unreadable' | 'notPositive' | 'tooMuch' | 'aboveTarget';

export interface Pot {
  units: bigint;
  target: bigint;
  decimals: number;
}

export function heldAfter(pot: Pot, way: Way, amount: string): { units: bigint } | { wrong: Reason } {
  if (!amount.trim()) return { wrong: 'missing' };
  const step = parseUnits(amount, pot.decimals);
  if (step === null) return { wrong: 'unreadable' };
  // The direction is chosen in the form, not by a sign.
  if (step <= 0n) return { wrong: 'notPositive' };
  const units = pot.units + (way === 'in' ? step : -step);
  if (units < 0n) return { wrong: 'tooMuch' };
  return way === 'in' && units > pot.target ? { wrong: 'aboveTarget' } : { units };
}
