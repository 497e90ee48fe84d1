// What a notice says, and where its object is.
import type { Notice } from '$/api/types';
import { showFrom } from '$/days/days';
import { t } from '$/messages';
import { session } from '$/session/session.svelte';

type Attributes = Notice['attributes'];

const PAGES: Record<string, string> = {
  accounts: '/accounts',
  bills: '/bills',
  budgets: '/budgets',
  import_jobs: '/imports',
  recurrences: '/recurrences',
  transactions: '/transactions',
};
const OTHERS: Record<string, string> = {
  unknown_device: '/settings/security',
  rates_failed: '/settings/rates',
  webhook_paused: '/settings/webhooks',
};

export function titleOf(notice: Attributes): string {
  const day = notice.date ? showFrom(session.today, notice.date, session.locale) : '';
  return t.occasions.titles[notice.kind]?.(notice.name, day) ?? notice.kind.replaceAll('_', ' ');
}

export function placeOf(notice: Attributes): string | null {
  const page = notice.object_kind ? PAGES[notice.object_kind] : undefined;
  return page && notice.object_id ? `${page}/${notice.object_id}` : (OTHERS[notice.kind] ?? null);
}
