import { expect, test } from 'vitest';
import { describeScope, splitWords, toScopes } from './limits';

test('each chosen area becomes a scope', () => {
  expect(toScopes({ accounts: 'read', bills: '', transactions: 'write' }, true)).toEqual([
    'accounts:read',
    'transactions:write',
  ]);
});

test('a token that may only read gets no scope to write', () => {
  expect(toScopes({ transactions: 'write' }, false)).toEqual(['transactions:read']);
});

test('networks are separated by commas or spaces', () => {
  expect(splitWords(' 10.0.0.0/8, 192.168.1.0/24\n')).toEqual(['10.0.0.0/8', '192.168.1.0/24']);
  expect(splitWords('')).toEqual([]);
});

test('a scope is described in words, also one that is not known yet', () => {
  expect(describeScope('bills:read')).toBe('Bills and recurring transactions (See)');
  expect(describeScope('dreams:write')).toBe('dreams (Change)');
});
