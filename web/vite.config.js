// Builds the web app into the files that the server delivers.
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build } from 'vite';
import { defineConfig } from 'vitest/config';

const BUILT = fileURLToPath(new URL('../src/farthing/web/built', import.meta.url));
const TYPEFACE = fileURLToPath(new URL('./node_modules/@fontsource-variable/public-sans', import.meta.url));
const SOURCES = fileURLToPath(new URL('./src', import.meta.url));

/** The icons of categories, which only some pages need, except for those that the menu has as well. */
const MENU = ['house', 'landmark', 'piggy-bank', 'receipt'];
const CATEGORY_ICONS = [...readFileSync(join(SOURCES, 'marks/icons.ts'), 'utf8').matchAll(/icons\/([\w-]+)'/g)]
  .map(([, name]) => name)
  .filter((name) => !MENU.includes(name));
const MARKS = new RegExp(`src[/\\\\]marks[/\\\\]|@lucide.*[/\\\\](${CATEGORY_ICONS.join('|')})\\.`);
const EVERYWHERE =
  /node_modules[/\\](svelte|@lucide)|src[/\\](api|days|money|parts|session|shell)[/\\]|src[/\\]push[/\\](follow|mark)\.|src[/\\]offline[/\\](badge|device|Strip)\.|src[/\\]worker[/\\]register\.|src[/\\](App\.svelte|main\.ts)|src[/\\]messages[/\\]index\.|pages[/\\]((\w|-)+[/\\])?(pages|index)\.ts/;

/** What loads the texts: a file of its own, so that they are asked for before the app has come. */
const TEXTS = /src[/\\]messages[/\\](languages|loading|numbers|\w+[/\\]text)\.|vite[/\\]preload-helper/;

/** What only a form or a click needs comes with that. */
const ON_DEMAND =
  /src[/\\](days[/\\](calendar|typed)|parts[/\\](LeftToSpendLines|Sheet)|session[/\\](Hindered|passkeys)|shell[/\\]UndoDialog)\./;

/** What most pages share, but not with the dashboard, with which most visits begin. */
const OTHER_PARTS = new RegExp(
  [
    'api/search',
    'days/year',
    'parts/(Back|ChooseFiles|Confirm|Copy|Drop|Handle|More|MoveButtons|NoneHere|Pager|Sections|YearChoice|groups)',
    'session/region',
    'icons/(arrow-(down|left|up)|check-check|chevron-down|circle-(alert|dashed|dot)|copy-plus|flask-conical)',
    'icons/(grip-vertical|loader|pencil|sparkles|trash|undo-2)',
  ]
    .map((one) => `[/\\\\]${one.replace('/', '[/\\\\]')}\\.`)
    .join('|'),
);

/** Small parts of other pages that the dashboard shows: a file for each would cost its first visit a request. */
const ON_DASHBOARD = /pages[/\\](bills[/\\]ProbablyPaid|dashboard[/\\](Expected|cards|query)|transactions[/\\]Sums)\./;

/** The licence of the typeface goes wherever the typeface goes. */
function licensed() {
  return {
    name: 'licensed',
    apply: 'build',
    writeBundle() {
      copyFileSync(join(TYPEFACE, 'LICENSE'), join(BUILT, 'public-sans-license.txt'));
    },
  };
}

/** Builds the service worker into one file that knows the names of all others. */
function worker() {
  return {
    name: 'worker',
    apply: 'build',
    writeBundle: {
      sequential: true,
      async handler() {
        const files = readdirSync(BUILT, { recursive: true })
          .map((name) => name.replaceAll('\\', '/'))
          .filter((name) => /\.(js|css|svg|woff2|webmanifest)$/.test(name))
          .sort();
        const page = readFileSync(join(BUILT, 'index.html'));
        const version = createHash('sha256').update(files.join()).update(page).digest('hex').slice(0, 12);
        await build({
          configFile: false,
          logLevel: 'error',
          resolve: { alias: { $: SOURCES } },
          define: { FILES: JSON.stringify(files), BUILD: JSON.stringify(version) },
          build: {
            outDir: BUILT,
            emptyOutDir: false,
            copyPublicDir: false,
            target: 'es2022',
            rolldownOptions: {
              input: join(SOURCES, 'worker/worker.ts'),
              output: { format: 'iife', entryFileNames: 'sw.js' },
            },
          },
        });
      },
    },
  };
}

/** Compresses files once at build time; the server picks the encoding that the browser accepts. */
function compressed() {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle: {
      sequential: true,
      handler() {
        for (const name of readdirSync(BUILT, { recursive: true })) {
          if (!/\.(js|css|html|svg|webmanifest)$/.test(name)) continue;
          const file = join(BUILT, name);
          const bytes = readFileSync(file);
          writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
          writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
        }
      },
    },
  };
}

export default defineConfig({
  // Relative, so that it works behind any path.
  base: './',
  plugins: [svelte(), licensed(), worker(), compressed()],
  resolve: { alias: { $: SOURCES } },
  build: {
    outDir: BUILT,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    // One style sheet: those of single pages are so small that a request for each would take longer.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'texts', test: TEXTS, priority: 1 },
            // What every page needs comes in one file, and with it what several pages share.
            {
              name: 'app',
              test: (id) =>
                (EVERYWHERE.test(id) || ON_DASHBOARD.test(id)) &&
                ![MARKS, ON_DEMAND, OTHER_PARTS].some((others) => others.test(id)),
            },
            { name: 'shared', test: OTHER_PARTS },
            { name: 'marks', test: MARKS },
            // The dashboard, which most visits begin with, has no form.
            { name: 'form', test: /src[/\\]form[/\\]/ },
            { name: 'charts', test: /node_modules[/\\]uplot|src[/\\]charts[/\\]/ },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8000' } },
  // A process for each file would take four times as long.
  test: { include: ['src/**/*.test.ts'], css: { include: /tokens/ }, isolate: false },
});
