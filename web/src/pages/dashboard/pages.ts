// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [{ pattern: '/', title: t.dashboard.title, load: () => import('./Dashboard.svelte') }];
