// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [
  { pattern: '/piggy-banks', title: t.piggyBanks.title, load: () => import('./PiggyBanks.svelte') },
];
