import next from 'eslint-config-next/core-web-vitals';
import tseslint from 'typescript-eslint';

const core = ['shared', 'mediate', 'context', 'engine', 'policy', 'approvals', 'ledger', 'verify', 'authority'].map(
  (module) => `lib/${module}/**/*.{ts,tsx}`,
);
const tests = ['**/*.test.{ts,tsx}', '**/*.itest.ts', 'e2e/**', 'lib/testing/**'];

/** Names that would give the core a clock, randomness, environment, I/O or the host's language. */
const impureGlobals = [
  'process',
  'globalThis',
  'window',
  'document',
  'self',
  'navigator',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'crypto',
  'Intl',
  'performance',
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'EventSource',
  'console',
  'Buffer',
  'require',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'requestAnimationFrame',
  'eval',
  'Function',
].map((name) => ({ name, message: 'The core is pure: take it as an argument.' }));

const impureProperties = [
  { object: 'Date', property: 'now', message: 'The core has no clock: take the time as an argument.' },
  { object: 'Math', property: 'random', message: 'The core has no randomness: take ids as an argument.' },
  ...['localeCompare', 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString', 'toLocaleUpperCase', 'toLocaleLowerCase'].map(
    (property) => ({ property, message: 'Depends on the language of the host; two machines would decide differently.' }),
  ),
];

const impureSyntax = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'The core has no clock: take the time as an argument.' },
  { selector: "CallExpression[callee.name='Date']", message: 'The core has no clock: take the time as an argument.' },
  { selector: 'ImportExpression', message: 'The core loads nothing while it runs.' },
];

const everywhereSyntax = [
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that defines it.' },
  {
    selector: "TSAsExpression > TSAsExpression[typeAnnotation.type='TSUnknownKeyword']",
    message: 'A double assertion hides a missing parse.',
  },
];

export default tseslint.config(
  {
    ignores: [
      'node_modules/',
      '.next/',
      '.build/',
      'lib/db/generated/',
      'next-env.d.ts',
      'public/',
      'test-results/',
      'playwright-report/',
      '.countersign*/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...next,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unsafe-type-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { allowDefaultCaseForExhaustiveSwitch: true, considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      '@typescript-eslint/require-await': 'off',
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      'no-eval': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-restricted-syntax': ['error', ...everywhereSyntax],
    },
  },
  {
    files: core,
    ignores: tests,
    rules: {
      'no-restricted-globals': ['error', ...impureGlobals],
      'no-restricted-properties': ['error', ...impureProperties],
      'no-restricted-syntax': ['error', ...everywhereSyntax, ...impureSyntax],
      'no-restricted-imports': ['error', { patterns: [{ group: ['node:*'], message: 'The core runs in browsers too.' }] }],
    },
  },
  {
    // Where foreign values become typed ones, a checked value is asserted once, so that nothing behind it has to.
    files: ['**/*parse*.{ts,tsx}', '**/*decode*.ts', '**/ids.ts', 'lib/shared/**', 'lib/contracts/**', 'lib/db/**'],
    rules: { '@typescript-eslint/no-unsafe-type-assertion': 'off' },
  },
  {
    // Commands, demo and bench talk to a terminal; everything else has the logger.
    files: ['lib/testing/setup.ts', 'lib/cli/**', 'lib/demo/**', 'lib/bench/**', 'lib/server/logger.ts', 'e2e/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: tests,
    rules: {
      '@typescript-eslint/no-unsafe-type-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/unbound-method': 'off',
      // A test may hand over what the types forbid.
      'no-restricted-syntax': ['error', everywhereSyntax[0]],
    },
  },
  { files: ['*.config.{ts,mjs}'], rules: { 'import/no-anonymous-default-export': 'off' } },
  { files: ['e2e/**', 'lib/testing/**'], rules: { 'react-hooks/rules-of-hooks': 'off', 'no-empty-pattern': 'off' } },
);
