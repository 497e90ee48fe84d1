// What is in a piggy bank after money was put in, or taken out? Or what keeps it from being moved.
import { unitsTyped } from '$/money/typed';

export type Way = 'in' | 'out';
export type Reason = 'missing' | 'unreadable' | 'notAbove' | 'notThere' | 'tooFull';

export interface Pot {
  units: bigint;
  target: bigint;
  decimals: number;
}

export function moved(pot: Pot, way: Way, amount: string): { units: bigint } | { wrong: Reason } {
  if (!amount.trim()) return { wrong: 'missing' };
  const step = unitsTyped(amount, pot.decimals);
  if (step === null) return { wrong: 'unreadable' };
  // The other way is chosen above, not by a sign.
  if (step <= 0n) return { wrong: 'notAbove' };
  const units = pot.units + (way === 'in' ? step : -step);
  if (units < 0n) return { wrong: 'notThere' };
  return way === 'in' && units > pot.target ? { wrong: 'tooFull' } : { units };
}
