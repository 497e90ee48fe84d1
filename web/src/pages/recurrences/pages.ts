// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [
  { pattern: '/recurrences', title: t.recurrences.title, load: () => import('./List.svelte') },
  { pattern: '/recurrences/new', title: t.recurrences.newTitle, load: () => import('./New.svelte') },
  { pattern: '/recurrences/:id', title: t.recurrences.title, load: () => import('./Show.svelte') },
  { pattern: '/recurrences/:id/edit', title: t.recurrences.editTitle, load: () => import('./Edit.svelte') },
];
