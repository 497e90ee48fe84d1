import { expect, test } from 'vitest';
import { parse } from './exact';

test('a number too long for a float keeps every digit', () => {
  expect(parse('{"a":90071992547409931.23}')).toEqual({ a: '90071992547409931.23' });
  expect(parse('[90071992547409931,-0.1,1e3]')).toEqual(['90071992547409931', '-0.1', '1e3']);
});

test('whole numbers stay numbers', () => {
  expect(parse('{"id":7,"total":1500,"minus":-3,"none":null,"yes":true}')).toEqual({
    id: 7,
    total: 1500,
    minus: -3,
    none: null,
    yes: true,
  });
});

test('numbers inside strings are left alone', () => {
  const text = JSON.stringify({ note: 'paid 12.50 "twice" \\ 3.1', '4.2': '5.5' });
  expect(parse(text)).toEqual(JSON.parse(text));
});
