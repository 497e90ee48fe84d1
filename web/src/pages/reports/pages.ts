// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../index';

const load = (): ReturnType<Page['load']> => import('./Reports.svelte');
export const pages: Page[] = [
  { pattern: '/reports', title: t.reports.title, load },
  { pattern: '/reports/:report', title: t.reports.title, load },
];
