// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [{ pattern: '/budgets', title: t.budgets.title, load: () => import('./Budgets.svelte') }];
