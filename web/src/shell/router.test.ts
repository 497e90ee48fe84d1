import { describe, expect, it } from 'vitest';
import { href, matchPattern, parseAddress } from './router.svelte';

describe('an address', () => {
  it('has a path and a query', () => {
    const { path, query } = parseAddress('#/transactions?query=caf%C3%A9&page=2');
    expect([path, query.get('query'), query.get('page')]).toEqual(['/transactions', 'café', '2']);
  });

  it('keeps a question mark that somebody typed', () => {
    expect(parseAddress('#/transactions?query=what?').query.get('query')).toBe('what?');
  });

  it('is the dashboard when it is empty', () => {
    expect(parseAddress('').path).toBe('/');
    expect(parseAddress('#').path).toBe('/');
  });

  it('is parsed back to the same query', () => {
    const query = 'a&b=c?d#e%';
    expect(parseAddress(href('/transactions', { query, page: null })).query.get('query')).toBe(query);
  });
});

describe('a pattern', () => {
  it('gives the named parts of a path', () => {
    expect(matchPattern('/accounts/:id', '/accounts/12')).toEqual({ id: '12' });
    expect(matchPattern('/accounts/:id', '/accounts/12/edit')).toBeNull();
    expect(matchPattern('/accounts/:id', '/bills/12')).toBeNull();
  });

  it('does not match an empty or undecodable part', () => {
    expect(matchPattern('/accounts/:id', '/accounts/')).toBeNull();
    expect(matchPattern('/accounts/:id', '/accounts/%')).toBeNull();
  });
});
