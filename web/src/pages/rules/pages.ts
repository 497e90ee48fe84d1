// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [
  { pattern: '/rules', title: t.rules.title, load: () => import('./Rules.svelte') },
  { pattern: '/rules/new', title: t.rules.newTitle, load: () => import('./New.svelte') },
  { pattern: '/rules/:id', title: t.rules.editTitle, load: () => import('./Edit.svelte') },
  { pattern: '/rules/:id/try', title: t.rules.tryTitle, load: () => import('./Try.svelte') },
  { pattern: '/rules/groups/:id/try', title: t.rules.tryGroupTitle, load: () => import('./TryGroup.svelte') },
];
