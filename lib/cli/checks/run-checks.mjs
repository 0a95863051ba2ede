import fs from 'node:fs';
import { inRoot } from '../bootstrap/paths.mjs';
import { run } from '../bootstrap/run.mjs';
import { log } from '../bootstrap/log.mjs';

const sources = ['app', 'components', 'lib', 'e2e'].filter((folder) => fs.existsSync(inRoot(folder)));

const checks = [
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'] },
  { name: 'lint', args: ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0'] },
  {
    name: 'imports',
    args: ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', ...sources, '--config', '.dependency-cruiser.cjs'],
  },
  { name: 'unused', args: ['node_modules/knip/bin/knip.js', '--include', 'files,dependencies,unlisted', '--no-config-hints'] },
];

/** Runs each check to its end, so that one run tells everything that is wrong. */
export async function runChecks() {
  let passed = 0;
  for (const { name, args } of checks) {
    log(`checking ${name}`);
    const { code } = await run(process.execPath, args);
    if (code === 0) passed += 1;
    else process.stderr.write(`check of ${name} failed\n`);
  }
  return { passed, failed: checks.length - passed };
}
