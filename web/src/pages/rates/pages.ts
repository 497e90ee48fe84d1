// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [
  {
    pattern: '/settings/rates',
    title: `${t.rates.section} · ${t.settings.title}`,
    load: () => import('./Rates.svelte'),
  },
];
