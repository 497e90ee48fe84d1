// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [
  { pattern: '/rules', title: t.rulePages.title, load: () => import('./Rules.svelte') },
  { pattern: '/rules/new', title: t.rulePages.newTitle, load: () => import('./New.svelte') },
  { pattern: '/rules/:id', title: t.rulePages.editTitle, load: () => import('./Edit.svelte') },
  { pattern: '/rules/:id/try', title: t.rulePages.tryTitle, load: () => import('./Try.svelte') },
  { pattern: '/rules/groups/:id/try', title: t.rulePages.tryGroupTitle, load: () => import('./TryGroup.svelte') },
];
