// What the dashboard asks for.
import { periodOf } from '$/days/period';
import { isDay, rangeInAddress } from '$/days/ranges';
import { session } from '$/session/session.svelte';

export const periodIn = (address: URLSearchParams) => {
  const on = address.get('on');
  return periodOf(isDay(on) ? on : session.today, session.view);
};

export function dashboardQuery(address: URLSearchParams) {
  const range = rangeInAddress(address, session.today);
  const convert = address.get('convert') === '1' ? ('1' as const) : undefined;
  return { ...periodIn(address), chart_start: range.start, chart_end: range.end, convert };
}
