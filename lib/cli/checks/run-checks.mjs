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

/** Runs the checks side by side, each to its end, so that one run tells everything that is wrong; what one prints stays in one piece. */
export async function runChecks() {
  const passed = await Promise.all(
    checks.map(async ({ name, args }) => {
      const { code, output } = await run(process.execPath, args, { capture: true });
      process.stderr.write(output);
      log(code === 0 ? `${name}: good` : `check of ${name} failed`);
      return code === 0;
    }),
  );
  const good = passed.filter(Boolean).length;
  return { passed: good, failed: checks.length - good };
}
