// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

export const pages: Page[] = [
  { pattern: '/imports', title: t.imports.title, load: () => import('./Imports.svelte') },
  { pattern: '/imports/:id', title: t.imports.title, load: () => import('./OneImport.svelte') },
];
