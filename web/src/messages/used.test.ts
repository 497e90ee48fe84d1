import { expect, test } from 'vitest';
import { en as everyday } from './en';
import { seldom } from './en/seldom';

const en = { ...everyday, ...seldom };

const sources = import.meta.glob<string>(['../**/*.svelte', '../**/*.ts', '!../**/*.test.ts', '!./**'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const files = Object.values(sources);

const isBranch = (node: unknown): node is Record<string, unknown> =>
  typeof node === 'object' && node !== null && !Array.isArray(node);

/** The part of a path such as `accounts.fields.name.length` that names a message or a group of messages. */
function keyIn(path: string[]): string {
  const names: string[] = [];
  let node: unknown = en;
  for (const name of path) {
    if (!isBranch(node) || !(name in node)) break;
    node = node[name];
    names.push(name);
  }
  return names.join('.');
}

/** The keys that a file uses, through `t` or through a constant such as `const words = t.bills`. The constant itself is no use. */
function keysIn(code: string): string[] {
  const short = new Map<string, string[]>([
    ['t', []],
    ['seldom', []],
  ]);
  const rest = code.replace(
    /const (\w+) = (?:t|seldom)\.([\w.]+);/g,
    (_, name: string, path: string) => (short.set(name, path.split('.')), ''),
  );
  return [...rest.matchAll(/\b(\w+)((?:\s*\.\w+)+)/g)]
    .filter(([, name]) => short.has(name!))
    .map(([, name, path]) => keyIn([...short.get(name!)!, ...path!.replace(/\s/g, '').slice(1).split('.')]));
}

function* leaves(node: Record<string, unknown>, above: string[] = []): Generator<string> {
  for (const [name, text] of Object.entries(node)) {
    if (isBranch(text)) yield* leaves(text, [...above, name]);
    else yield [...above, name].join('.');
  }
}

test('every message is used somewhere', () => {
  expect(files.length).toBeGreaterThan(100);
  // Using a group counts as using all its messages, because the key may be chosen at run time.
  const used = new Set(files.flatMap(keysIn));
  const isUsed = (leaf: string): boolean =>
    leaf.split('.').some((_, at, names) => used.has(names.slice(0, at + 1).join('.')));
  expect([...leaves(en)].filter((leaf) => !isUsed(leaf))).toEqual([]);
});
