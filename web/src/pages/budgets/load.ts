// What the page of the budgets asks for.
import { get } from '$/api/client';
import type { Day } from '$/days/days';
import { periodOf } from '$/days/period';
import { BY_MONTH, monthsAround } from './months';

export const loadMonths = async (day: Day, isNarrow: boolean, currency: string, signal?: AbortSignal) =>
  (await get('/api/v1/budgets/months', { query: { ...monthsAround(day, isNarrow), currency }, signal })).data;

export const loadAvailable = async (day: Day, signal?: AbortSignal) =>
  (await get('/api/v1/available_budgets', { query: { ...periodOf(day, BY_MONTH), limit: 1000 }, signal })).data;

export const loadLeft = async (day: Day, signal?: AbortSignal) =>
  (await get('/api/v1/budgets/left_to_spend', { query: periodOf(day, BY_MONTH), signal })).data;
