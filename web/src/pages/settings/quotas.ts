// Quotas of users: stored in bytes, typed in megabytes.
import type { UserQuotas } from '$/api/types';

export interface Person {
  id: string;
  email: string;
  quotas: UserQuotas;
}

const MEGABYTE = 1_000_000;

/** Empty for no limit. */
export function inMegabytes(bytes: number | null): string {
  return bytes === null ? '' : String(bytes / MEGABYTE);
}

/** Null for no limit; what is no number goes to the server as it is, which says so. */
export function inBytes(typed: string): number | string | null {
  const text = typed.trim().replace(',', '.');
  const number = Number(text);
  if (!text) return null;
  return Number.isFinite(number) ? Math.round(number * MEGABYTE) : typed;
}
