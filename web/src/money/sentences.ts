// The server writes amounts and days in one notation; people read them as their region writes them.
import { show as showDay } from '$/days/days';
import { show } from './money';

/** What is quoted was written by people, and stays as it is. */
const PARTS =
  /“[^”]*”|„[^“]*“|«[^»]*»|\b([A-Z]{3}) (-?\d+(?:\.\d+)?)(?![\w.]*\d)|(?<![\w.,-])(-?\d+(?:\.\d+)?) ([A-Z]{3})\b|\b\d{4}-\d\d-\d\d\b/g;

/** Writes amounts such as `300.00 EUR` and `EUR 300.00`, and days such as `2024-05-20`, for the region. */
export function writeForRegion(text: string, locale: string, isCurrency: (code: string) => boolean): string {
  return text.replace(PARTS, (all: string, before?: string, after?: string, first?: string, last?: string) => {
    const [code, amount] = [before ?? last, after ?? first];
    if (code && amount) {
      const decimals = amount.split('.')[1]?.length ?? 0;
      return isCurrency(code) ? show(amount, { code, decimals }, locale) : all;
    }
    return /^[“„«]/.test(all) || Number.isNaN(Date.parse(all)) ? all : showDay(all, locale);
  });
}
