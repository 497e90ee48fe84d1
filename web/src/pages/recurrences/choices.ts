// Loads the user's accounts and piggy banks for the form.
import { get } from '$/api/client';
import { session } from '$/session/session.svelte';

export interface OwnAccount {
  id: string;
  name: string;
  currency: string;
  isAsset: boolean;
  /** An everyday account in the main currency. */
  isUsual: boolean;
}

export interface Choices {
  accounts: OwnAccount[];
  piggyBanks: { id: string; name: string }[];
}

const ALL = 1000;

export async function loadChoices(signal: AbortSignal): Promise<Choices> {
  const own = (type: 'asset' | 'liability') => get('/api/v1/accounts', { query: { type, limit: ALL }, signal });
  const [assets, liabilities, piggyBanks] = await Promise.all([
    own('asset'),
    own('liability'),
    get('/api/v1/piggy_banks', { query: { limit: ALL }, signal }),
  ]);
  const accounts = [assets, liabilities].flatMap(({ data }, at) =>
    data
      .filter(({ attributes }) => attributes.active)
      .map(({ id, attributes }) => ({
        id,
        name: attributes.name,
        currency: attributes.currency_code,
        isAsset: at === 0,
        isUsual: attributes.account_role === 'defaultAsset' && attributes.currency_code === session.currency,
      })),
  );
  return { accounts, piggyBanks: piggyBanks.data.map(({ id, attributes }) => ({ id, name: attributes.name })) };
}
