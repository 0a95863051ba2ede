import fs from 'node:fs';
import { filesBelow, fingerprint, isStamped, writeStamp } from './fingerprint.mjs';
import { stampGuardProgram } from './guard-program.mjs';
import { log } from './log.mjs';
import { inRoot } from './paths.mjs';
import { schemaFingerprint } from './generate.mjs';

const stamp = '.build/.stamp';

/** Programs that run outside Next: name in `.build/`, source. */
const entries = {
  countersign: 'lib/cli/countersign.ts',
  guard: 'lib/cli/guard.ts',
  supervise: 'lib/cli/supervise.ts',
  plane: 'lib/plane/main.ts',
  'commit-thread': 'lib/plane/commit-thread.ts',
  'compare-thread': 'lib/plane/compare-thread.ts',
  demo: 'lib/demo/main.ts',
  'demo-agent': 'lib/demo/agent.ts',
  bench: 'lib/bench/main.ts',
  'bench-console': 'lib/bench/approvals-console.ts',
  'proof-thread': 'lib/server/proof-thread-main.ts',
  'bench-data-thread': 'lib/cli/bench-data/chunk-thread.ts',
};

/**
 * Bundles the TypeScript programs for plain Node. Packages stay outside the bundles: the database adapter and this code have to see the
 * same copy of `pg`, and stack traces stay readable. Each bundle is complete in itself, so a process never loads half of a newer build.
 */
export async function bundlePrograms() {
  const wanted = fingerprint(filesBelow('lib'), schemaFingerprint(), JSON.stringify(entries));
  if (isStamped(stamp, wanted)) return;
  const found = Object.entries(entries).filter(([, source]) => fs.existsSync(inRoot(source)));
  log(`bundling ${found.map(([name]) => name).join(', ')}`);
  const { build, stop } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: inRoot(),
    entryPoints: found.map(([name, source]) => ({ in: source, out: name })),
    outdir: '.build',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    jsx: 'automatic',
    logLevel: 'warning',
    metafile: true,
  });
  // The bundler's own process would otherwise live as long as this one.
  stop();
  stampGuardProgram(metafile);
  writeStamp(stamp, wanted);
}
