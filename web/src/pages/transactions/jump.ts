// Finds the page of a list on which a day is.
import { addDays, addMonths, type Day } from '$/days/days';
import type { Pagination } from '$/api/types';
import { isSearch, MONTHS_MAX, type Filters } from './filters';

/** Only lists with an exact total can be counted, and only as far as the API's longest range reaches. */
export function canCount(filters: Filters, day: Day, today: Day): boolean {
  return !isSearch(filters) && day > addMonths(filters.end ?? today, 12 - MONTHS_MAX);
}

/** The filters for what comes before that day in the list, which begins with the newest. Null when nothing does. */
export function laterThan(filters: Filters, day: Day): Filters | null {
  const start = addDays(day, 1);
  return filters.end && start > filters.end ? null : { ...filters, start };
}

export function pageAfter(later: number, { per_page, total_pages }: Pagination): number {
  return Math.min(Math.floor(later / per_page) + 1, Math.max(total_pages, 1));
}
