import { expect, test } from 'vitest';
import { en } from './en';

const sources = import.meta.glob<string>(['../**/*.svelte', '../**/*.ts', '!../**/*.test.ts', '!./*'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const files = Object.values(sources);

const isBranch = (node: unknown): node is Record<string, unknown> =>
  typeof node === 'object' && node !== null && !Array.isArray(node);

/** How far a path such as `accounts.fields.name.length` leads into the messages. */
function reached(path: string[]): string {
  const taken: string[] = [];
  let node: unknown = en;
  for (const name of path) {
    if (!isBranch(node) || !(name in node)) break;
    node = node[name];
    taken.push(name);
  }
  return taken.join('.');
}

/** What a file mentions, by `t` or by a shorter name that it gave to a part of it; the giving itself is no mention. */
function mentioned(code: string): string[] {
  const short = new Map<string, string[]>([['t', []]]);
  const rest = code.replace(
    /const (\w+) = t\.([\w.]+);/g,
    (_, name: string, path: string) => (short.set(name, path.split('.')), ''),
  );
  return [...rest.matchAll(/\b(\w+)((?:\s*\.\w+)+)/g)]
    .filter(([, name]) => short.has(name!))
    .map(([, name, path]) => reached([...short.get(name!)!, ...path!.replace(/\s/g, '').slice(1).split('.')]));
}

function* leaves(node: Record<string, unknown>, above: string[] = []): Generator<string> {
  for (const [name, text] of Object.entries(node)) {
    if (isBranch(text)) yield* leaves(text, [...above, name]);
    else yield [...above, name].join('.');
  }
}

test('every message is said somewhere', () => {
  expect(files.length).toBeGreaterThan(100);
  // Whoever mentions a branch picks from it by a name that is only known later.
  const said = new Set(files.flatMap(mentioned));
  const isSaid = (leaf: string): boolean =>
    leaf.split('.').some((_, at, names) => said.has(names.slice(0, at + 1).join('.')));
  expect([...leaves(en)].filter((leaf) => !isSaid(leaf))).toEqual([]);
});
