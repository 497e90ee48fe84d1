// A page of the list of bills.
import { get } from '$/api/client';
import { rangeOf } from '$/days/year';

const ROWS = 50;

export const loadBills = (year: number, page: number, signal?: AbortSignal) =>
  get('/api/v1/bills', { query: { ...rangeOf(year), page, limit: ROWS, sort: 'order' }, signal });
