// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [{ pattern: '/inbox', title: t.inbox.title, load: () => import('./Inbox.svelte') }];
