// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [
  { pattern: '/notices', title: t.occasions.title, load: () => import('./Notices.svelte') },
  {
    pattern: '/settings/notices',
    title: `${t.occasions.title} · ${t.settings.title}`,
    load: () => import('./Choose.svelte'),
  },
];
