// Writes the types of the API from the committed document before every build, so that drift breaks it.
import { readFile, stat, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const DOCUMENT = new URL('../docs/api/openapi.json', import.meta.url);
const TARGET = new URL('src/api/schema.d.ts', import.meta.url);
const SOURCES = [DOCUMENT, new URL(import.meta.url), new URL('package-lock.json', import.meta.url)];
const EXACT = ts.factory.createTypeReferenceNode('Exact');

/** A JSON number with a fraction is money or a rate: it must never become a binary fraction (see exact.ts). */
function exactNumbers(schema) {
  if (schema.enum) return undefined;
  const types = [schema.type].flat();
  if (!types.includes('number')) return undefined;
  const others = types
    .filter((type) => type !== 'number' && type !== 'string' && type !== 'integer')
    .map((type) =>
      type === 'null'
        ? ts.factory.createLiteralTypeNode(ts.factory.createNull())
        : ts.factory.createKeywordTypeNode(ts.SyntaxKind.BooleanKeyword),
    );
  return ts.factory.createUnionTypeNode([EXACT, ...others]);
}

/** Writing the types takes seconds, and a test run would do it for the build, and again for the check. */
async function isWritten() {
  const written = await stat(TARGET).catch(() => undefined);
  const sources = await Promise.all(SOURCES.map((source) => stat(source)));
  return written !== undefined && sources.every((source) => source.mtimeMs < written.mtimeMs);
}

if (!(await isWritten())) {
  const document = JSON.parse(await readFile(DOCUMENT, 'utf8'));
  const nodes = await openapiTS(document, { transform: exactNumbers, defaultNonNullable: false });
  await writeFile(TARGET, `import type { Exact } from './exact';\n${astToString(nodes)}`);
}
