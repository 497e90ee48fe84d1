// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [
  { pattern: '/categories', title: t.labels.categories.title, load: () => import('./Categories.svelte') },
  { pattern: '/categories/:id', title: t.labels.categories.one, load: () => import('./OneCategory.svelte') },
  { pattern: '/tags', title: t.labels.tags.title, load: () => import('./Tags.svelte') },
  { pattern: '/tags/:id', title: t.labels.tags.one, load: () => import('./OneTag.svelte') },
  { pattern: '/payees', title: t.labels.payees.title, load: () => import('./Payees.svelte') },
  { pattern: '/payees/:id', title: t.labels.payees.one, load: () => import('./OnePayee.svelte') },
];
