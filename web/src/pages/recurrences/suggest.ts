// What is suggested while somebody types? One request per pause.
import { get } from '$/api/client';

interface Known {
  text: string;
}

export function accounts(type: string) {
  return async (query: string, signal: AbortSignal): Promise<Known[]> => {
    const { data } = await get('/api/v1/autocomplete/accounts', { query: { query, type }, signal });
    return data.map(({ name }) => ({ text: name }));
  };
}

function labels(path: '/api/v1/autocomplete/categories' | '/api/v1/autocomplete/budgets') {
  return async (query: string, signal: AbortSignal): Promise<Known[]> => {
    const { data } = await get(path, { query: { query }, signal });
    return data.map(({ name }) => ({ text: name }));
  };
}

export const categories = labels('/api/v1/autocomplete/categories');
export const budgets = labels('/api/v1/autocomplete/budgets');
