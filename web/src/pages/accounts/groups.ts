// The user's own accounts by group.
import type { AccountGroup } from '$/api/types';

type Grouped = AccountGroup['accounts'][number];

/** An account that is no longer used and holds nothing. */
export function isIdle({ active, balances }: Grouped): boolean {
  return !active && balances.every(({ amount }) => !/[1-9]/.test(String(amount)));
}

/** Whether they hold several currencies, which can be shown as one. */
export function isOfSeveral(groups: AccountGroup[]): boolean {
  const held = groups.flatMap(({ totals }) => totals.map(({ currency_code }) => currency_code));
  return new Set(held).size > 1;
}
