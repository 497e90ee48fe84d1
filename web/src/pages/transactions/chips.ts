// The texts of the filters by days and by amounts.
import { addDays, monthOf, show, type Day } from '$/days/days';
import { t } from '$/messages';
import { parseAmount, writeAmount } from '$/money/parse';
import { fromUnits, toUnits } from '$/money/money';
import { DECIMALS, type Filters } from './filters';

const words = t.transactions.filters;

/** A whole month or year is shown by its name. */
export function describeDays({ start, end }: Filters, locale: string): string {
  if (!start || !end) return `${start ? words.start : words.end}: ${show(start || end!, locale)}`;
  if (start === end) return show(start, locale);
  if (start === monthOf(start).start && end === monthOf(start).end) return show(start, locale, 'month');
  if (start.endsWith('-01-01') && end === lastOf(start)) return start.slice(0, 4);
  return `${show(start, locale)} – ${show(end, locale)}`;
}

const lastOf = (firstOfYear: Day): Day => addDays(`${Number(firstOfYear.slice(0, 4)) + 1}-01-01`, -1);

export function describeAmounts({ amount_min: least, amount_max: most }: Filters): string {
  if (least && least === most) return words.amount(least);
  return words.amount(
    [
      least && (isJustBeside(least, -1n) ? words.over : words.atLeast)(rounder(least, -1n)),
      most && (isJustBeside(most, 1n) ? words.under : words.atMost)(rounder(most, 1n)),
    ]
      .filter(Boolean)
      .join(', '),
  );
}

/** `>4` is stored as from 4.01 on, because filters include their ends. */
function isJustBeside(amount: string, cents: bigint): boolean {
  const units = unitsOf(amount);
  return units !== null && units % 10n !== 0n && (units + cents) % 10n === 0n;
}

function rounder(amount: string, cents: bigint): string {
  if (!isJustBeside(amount, cents)) return amount;
  return writeAmount(fromUnits(unitsOf(amount)! + cents, DECIMALS).replace(/\.00$/, ''));
}

function unitsOf(amount: string): bigint | null {
  try {
    return toUnits(parseAmount(amount, DECIMALS) ?? '', DECIMALS);
  } catch {
    return null;
  }
}
