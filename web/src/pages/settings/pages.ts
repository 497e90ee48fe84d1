// The pages in this folder.
import { t } from '$/messages';
import type { Page } from '../page';

const title = (section: keyof typeof t.settings.sections): string =>
  `${t.settings.sections[section]} · ${t.settings.title}`;

export const pages: Page[] = [
  { pattern: '/settings', title: title('preferences'), load: () => import('./Preferences.svelte') },
  { pattern: '/settings/security', title: title('security'), load: () => import('./Security.svelte') },
  { pattern: '/settings/tokens', title: title('tokens'), load: () => import('./tokens/Tokens.svelte') },
  { pattern: '/settings/sharing', title: title('sharing'), load: () => import('./sharing/Sharing.svelte') },
  { pattern: '/settings/activity', title: title('activity'), load: () => import('./Activity.svelte') },
  { pattern: '/invitation', title: t.invitation.title, load: () => import('../sign-in/Invitation.svelte') },
  { pattern: '/settings/apps', title: title('apps'), load: () => import('./Apps.svelte') },
  { pattern: '/settings/webhooks', title: title('webhooks'), load: () => import('./webhooks/Webhooks.svelte') },
  { pattern: '/settings/changes', title: title('changes'), load: () => import('./Changes.svelte') },
  { pattern: '/settings/export', title: title('export'), load: () => import('./Export.svelte') },
  { pattern: '/settings/usage', title: title('usage'), load: () => import('./Usage.svelte') },
  { pattern: '/settings/about', title: title('about'), load: () => import('./About.svelte') },
];
