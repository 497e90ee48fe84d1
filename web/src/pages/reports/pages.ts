// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';
import type { Report } from './choice';

const load = (): ReturnType<Page['load']> => import('./Reports.svelte');
const reports: Record<Report, string> = t.reports.kinds;
// One pattern for each, so that an unknown report is an unknown page.
export const pages: Page[] = ['', ...Object.keys(reports).map((name) => `/${name}`)].map((end) => ({
  pattern: `/reports${end}`,
  title: t.reports.title,
  load,
}));
