// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [
  { pattern: '/transactions', title: t.transactions.title, load: () => import('./List.svelte') },
  { pattern: '/transactions/new', title: t.transactions.newTitle, load: () => import('./New.svelte') },
  { pattern: '/transactions/:id', title: t.transactions.title, load: () => import('./Show.svelte') },
  { pattern: '/transactions/:id/edit', title: t.transactions.editTitle, load: () => import('./Edit.svelte') },
];
