// The lint rules of the web app. Types are checked by svelte-check, layout by Prettier.
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

export default ts.config(
  { ignores: ['src/api/schema.d.ts'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser } } },
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_$', varsIgnorePattern: '^_$' }],
      // Maps and sets are local here, or replaced as a whole; nothing on the screen depends on their contents.
      'svelte/prefer-svelte-reactivity': 'off',
      // {' · '} keeps the spaces that Svelte would otherwise trim.
      'svelte/no-useless-mustaches': 'off',
    },
  },
  // Texts may need narrow no-break spaces, as French does before a question mark.
  { files: ['src/messages/**'], rules: { 'no-irregular-whitespace': ['error', { skipTemplates: true }] } },
);
