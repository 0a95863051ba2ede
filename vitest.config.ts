import path from 'node:path';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;

/**
 * Two projects: `unit` needs nothing but this folder, `integration` needs a real PostgreSQL, which its global setup starts.
 * A component test asks for a DOM with a `// @vitest-environment happy-dom` comment of its own.
 */
export default defineConfig({
  resolve: { alias: { '@': root } },
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    setupFiles: [path.join(root, 'lib/testing/setup.ts')],
    restoreMocks: true,
    // One less than there are cores is what Vitest takes by itself: on two cores one would stand idle.
    maxWorkers: 2,
    unstubEnvs: true,
    unstubGlobals: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{app,components,lib,policies}/**/*.test.{ts,tsx}', '*.test.ts'],
          exclude: ['**/generated/**'],
          // No test is a clock: the first one of a file also pays for what it imports, on a machine that may be busy.
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['{app,lib,policies}/**/*.itest.ts'],
          globalSetup: [path.join(root, 'lib/testing/database-server.ts')],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
