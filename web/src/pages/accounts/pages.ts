// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [
  { pattern: '/accounts', title: t.accounts.title, load: () => import('./Accounts.svelte') },
  { pattern: '/accounts/new', title: t.accounts.newTitle, load: () => import('./NewAccount.svelte') },
  { pattern: '/accounts/:id', title: t.accounts.title, load: () => import('./OneAccount.svelte') },
  { pattern: '/accounts/:id/edit', title: t.accounts.editTitle, load: () => import('./EditAccount.svelte') },
  { pattern: '/accounts/:id/reconcile', title: t.accounts.reconcile.title, load: () => import('./Reconcile.svelte') },
];
