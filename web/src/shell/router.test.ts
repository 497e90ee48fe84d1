import { describe, expect, it } from 'vitest';
import { href, matched, placeIn } from './router.svelte';

describe('the place in an address', () => {
  it('is a path and a query', () => {
    const { path, query } = placeIn('#/transactions?query=caf%C3%A9&page=2');
    expect([path, query.get('query'), query.get('page')]).toEqual(['/transactions', 'café', '2']);
  });

  it('keeps a question mark that somebody typed', () => {
    expect(placeIn('#/transactions?query=what?').query.get('query')).toBe('what?');
  });

  it('is the first page when there is nothing', () => {
    expect(placeIn('').path).toBe('/');
    expect(placeIn('#').path).toBe('/');
  });

  it('survives the way there and back', () => {
    const query = 'a&b=c?d#e%';
    expect(placeIn(href('/transactions', { query, page: null })).query.get('query')).toBe(query);
  });
});

describe('a pattern', () => {
  it('names what stands in its places', () => {
    expect(matched('/accounts/:id', '/accounts/12')).toEqual({ id: '12' });
    expect(matched('/accounts/:id', '/accounts/12/edit')).toBeNull();
    expect(matched('/accounts/:id', '/bills/12')).toBeNull();
  });

  it('does not fit an empty name or one that cannot be read', () => {
    expect(matched('/accounts/:id', '/accounts/')).toBeNull();
    expect(matched('/accounts/:id', '/accounts/%')).toBeNull();
  });
});
