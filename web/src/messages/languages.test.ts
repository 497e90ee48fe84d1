import { expect, test } from 'vitest';
import { parse, type AST } from 'svelte/compiler';
import { firstOf, LANGUAGES, languageOf, type Language } from './languages';
import { loaders, seldomLoaders } from './loading';

type Message = (...values: unknown[]) => unknown;
type Tree = { [key: string]: string | Message | Tree | string[] };

const languages = Object.keys(LANGUAGES) as Language[];
const texts = Object.fromEntries(
  await Promise.all(
    languages.map(async (each) => {
      const all = { ...(await loaders[each]()), ...(await seldomLoaders[each]()) };
      return [each, all as unknown as Tree] as const;
    }),
  ),
) as Record<Language, Tree>;

function* leaves(tree: Tree, above = ''): Generator<[string, string | Message]> {
  for (const [name, text] of Object.entries(tree)) {
    const path = above ? `${above}.${name}` : name;
    if (typeof text === 'object') yield* leaves(text as Tree, path);
    else yield [path, text];
  }
}
const english = new Map(leaves(texts.en));
const others = languages.filter((each) => each !== 'en');

/** Answers whatever a message asks of a parameter, and notes that it did. */
function parameter(uses: Set<number>, at: number): unknown {
  const word: object = Object('word');
  const list: object = ['word', 'word'];
  const answer = (of: object, name: PropertyKey): unknown => {
    const value: unknown = Reflect.get(of, name);
    return typeof value === 'function' ? (value as Message).bind(of) : value;
  };
  return new Proxy(() => {}, {
    get: (_, name) => {
      uses.add(at);
      if (name === Symbol.toPrimitive) return (hint: string) => (hint === 'string' ? 'word' : 2);
      return name in word && !(name in list) ? answer(word, name) : name in list ? answer(list, name) : 2;
    },
  });
}

/** The parameters that a message reads, whatever it is given. */
function usedParameters(message: Message): number[] {
  const uses = new Set<number>();
  for (const sample of [null, 0, 1, 2, 'monthly']) {
    for (let at = 0; at < message.length; at++) {
      const values = Array.from({ length: message.length }, (_, place) =>
        place === at ? parameter(uses, at) : (sample ?? parameter(uses, place)),
      );
      try {
        const text = message(...values);
        values.forEach((value, place) => value === text && uses.add(place));
      } catch {
        // It was given something of another kind; it has been read before.
      }
    }
  }
  return [...uses].sort();
}

test.each(others)('%s has the same messages as English', (language) => {
  expect([...leaves(texts[language])].map(([path]) => path).sort()).toEqual([...english.keys()].sort());
});

test.each(others)('%s uses every value that English tells', (language) => {
  const wrong = [...leaves(texts[language])].filter(([path, message]) => {
    const original = english.get(path);
    if (typeof original !== 'function') return typeof message !== typeof original;
    // A plural that English needs may have one form elsewhere, and a verb that agrees may need a value that English does not.
    return (
      typeof message !== 'function' || usedParameters(original).some((each) => !usedParameters(message).includes(each))
    );
  });
  expect(wrong.map(([path]) => path)).toEqual([]);
});

/** Names and words that are the same in several languages, or are typed into programs. */
const SAME_LENGTH_MAX = 24;
test.each(others)('%s has no sentence left in English', (language) => {
  const left = [...leaves(texts[language])].filter(
    ([path, text]) => typeof text === 'string' && text.length > SAME_LENGTH_MAX && text === english.get(path),
  );
  expect(left.map(([path]) => path)).toEqual([]);
});

test.each([
  ['de_CH', 'de'],
  ['en_GB', 'en'],
  ['it_IT', 'en'],
])('whoever prefers %s reads texts in %s', (preference, language) => {
  expect(languageOf(preference)).toBe(language);
});

test('before anybody signs in, the first language of the browser that has texts is shown', () => {
  expect(firstOf(['it-IT', 'de-AT', 'en'])).toBe('de');
  expect(firstOf(['it-IT'])).toBe('en');
});

const components = import.meta.glob<string>('../**/*.svelte', { query: '?raw', import: 'default', eager: true });
/** What the person who runs Farthing types into a terminal, units, and what is the same in every language. */
const NO_TEXT =
  /^(px|OK|FARTHING_\w+=|farthing user set-password|curl\b.*|.*api\/v1\/about\/user|#\/first-run\?code=…)$/;
const READ = /^(aria-(label|description|placeholder|roledescription|valuetext)|alt|label|placeholder|title)$/;

function* textsIn(node: unknown, isRead = true): Generator<string> {
  if (Array.isArray(node)) for (const each of node) yield* textsIn(each, isRead);
  else if (node && typeof node === 'object' && 'type' in node) {
    const { type, name } = node as { type: string; name?: string };
    if (type === 'Text' && isRead) yield (node as AST.Text).data.trim();
    const isReadBelow = type === 'Attribute' ? READ.test(name ?? '') : isRead;
    for (const [key, child] of Object.entries(node)) if (key !== 'css') yield* textsIn(child, isReadBelow);
  }
}

test('no component has texts of its own', { timeout: 60_000 }, () => {
  expect(Object.keys(components).length).toBeGreaterThan(100);
  const found = Object.entries(components).flatMap(([path, code]) =>
    [...textsIn(parse(code, { modern: true }).fragment)]
      .filter((text) => /\p{L}{2,}/u.test(text) && !NO_TEXT.test(text))
      .map((text) => `${path}: ${text}`),
  );
  expect(found).toEqual([]);
});
