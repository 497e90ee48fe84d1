// The pages in this folder: those that a home screen leads to.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [
  { pattern: '/quick', title: t.quick.title, load: () => import('./Quick.svelte') },
  { pattern: '/share', title: t.quick.share.title, load: () => import('./Share.svelte') },
];
