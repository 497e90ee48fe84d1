// Goes to a provider of OpenID Connect to sign in, and takes its answer when the browser comes back.
import { post } from '$/api/client';
import type { ProviderAnswer } from '$/session/session.svelte';
import { router } from '$/shell/router.svelte';

/** The page to return to. It is one of ours, because the browser itself kept it. */
const RETURN = 'return-to';
const BACK = '/sign-in/provider';

export async function goToProvider(provider: string): Promise<void> {
  const { address } = (await post('/api/v1/providers/start', { provider })).data.data;
  if (!router.address.path.startsWith('/sign-in')) sessionStorage.setItem(RETURN, location.hash.slice(1));
  location.assign(address);
}

export const comesFromProvider = (): boolean => router.address.path === BACK;

/** Removes the code, which works only once, from the address bar and the history. */
export function takeProviderAnswer(): ProviderAnswer {
  const { state = '', code, iss, error }: Record<string, string> = Object.fromEntries(router.address.query);
  router.replace(sessionStorage.getItem(RETURN) ?? '/');
  sessionStorage.removeItem(RETURN);
  return { state, code, iss, error };
}
