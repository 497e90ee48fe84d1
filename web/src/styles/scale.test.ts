import { expect, test } from 'vitest';
import tokens from './tokens.css?raw';

const sources = import.meta.glob<string>('../**/*.svelte', { query: '?raw', import: 'default', eager: true });

/** Larger distances are those of a layout, not of the scale. */
const LARGEST_REM = 3;
const SIZED = /(?<![\w-])(font-size|(?:row-|column-)?gap|(?:padding|margin)(?:-[a-z-]+)?):\s*([^;{}]+)/g;

const isStray = (name: string, value: string): boolean =>
  name === 'font-size'
    ? !/var\(--text-|^(inherit|0|[\d.]+em)$/.test(value.trim())
    : [...value.matchAll(/(?<![\w.-])([\d.]+)rem/g)].some(([, rem]) => Number(rem) <= LARGEST_REM);

test('sizes of text and distances are those of the scales in tokens.css', () => {
  const stray = Object.entries(sources).flatMap(([file, source]) => {
    const styles = /<style>([\s\S]*)<\/style>/.exec(source)?.[1] ?? '';
    return [...styles.matchAll(SIZED)]
      .filter(([, name, value]) => isStray(name!, value!))
      .map(([text]) => `${file}: ${text}`);
  });
  expect(stray).toEqual([]);
});

test('type has four sizes', () => {
  const sizes = [...tokens.matchAll(/--text-(\w+): ([\d.]+)rem/g)].map(([, name, rem]) => [name, Number(rem) * 16]);
  expect(sizes).toEqual([
    ['s', 13],
    ['m', 16],
    ['l', 20],
    ['xl', 28],
  ]);
});

test('rust is for actions: no chart uses it', () => {
  const charts = Object.entries(sources).filter(([file]) => file.includes('/charts/'));
  expect(charts.length).toBeGreaterThan(5);
  expect(charts.filter(([, source]) => source.includes('--accent')).map(([file]) => file)).toEqual([]);
});
