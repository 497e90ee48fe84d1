// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [
  { pattern: '/bills', title: t.bills.title, load: () => import('./Bills.svelte') },
  { pattern: '/bills/new', title: t.bills.newTitle, load: () => import('./New.svelte') },
  { pattern: '/bills/:id', title: t.bills.title, load: () => import('./Show.svelte') },
  { pattern: '/bills/:id/edit', title: t.bills.editTitle, load: () => import('./Edit.svelte') },
];
