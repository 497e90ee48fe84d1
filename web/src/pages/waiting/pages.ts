// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [{ pattern: '/waiting', title: t.offline.title, load: () => import('./Waiting.svelte') }];
