// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [
  { pattern: '/calendar', title: t.calendar.title, load: () => import('./Calendar.svelte') },
];
