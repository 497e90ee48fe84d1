// Loads the accounts that money is imported to and exported from: assets and liabilities.
import { get } from '$/api/client';

export interface OwnAccountName {
  id: string;
  name: string;
}

const ALL = 1000;

export async function loadOwnAccounts(signal: AbortSignal): Promise<OwnAccountName[]> {
  const pages = await Promise.all(
    (['asset', 'liability'] as const).map((type) => get('/api/v1/accounts', { query: { type, limit: ALL }, signal })),
  );
  return pages.flatMap(({ data }) => data.map(({ id, attributes }) => ({ id, name: attributes.name })));
}
