import { parseArgs } from 'node:util';
import { bootstrap } from './bootstrap/bootstrap.mjs';
import { log } from './bootstrap/log.mjs';
import { inRoot } from './bootstrap/paths.mjs';
import { run } from './bootstrap/run.mjs';

// `npm run test:long -- [--cases=100000] [--seed=N] [--crashes=20] [--pairs=1000]`: the engine's properties on new cases, pairs of policies compared, and crashes at every message of
// an append and so many moments. The seed that is printed repeats a run of the cases.
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 2_147_483_647) },
    crashes: { type: 'string', default: '20' },
    pairs: { type: 'string', default: '1000' },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (/^[1-9]\d{0,9}$/.test(value)) continue;
  process.stderr.write(`--${name} wants a whole number over 0, not ${value}\n`);
  process.exit(2);
}

process.chdir(inRoot());
await bootstrap();
log(`${values.cases} cases; --seed=${values.seed} tries the same ones again`);
const vitest = (project, files, env) => run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...files], { env });
const cases = await vitest('unit', ['lib/engine/properties.test.ts', 'lib/engine/reach.test.ts'], { ENGINE_CASES: values.cases, ENGINE_SEED: values.seed });
const compared = await vitest('unit', ['lib/policy/compare/against-brute-force.test.ts'], { POLICY_PAIRS: values.pairs, ENGINE_SEED: values.seed });
const crashes = await vitest('integration', ['lib/services/group-commit.itest.ts', 'lib/plane/cut-connections.itest.ts', 'lib/plane/killed-planes.itest.ts'], { CRASH_ROUNDS: values.crashes });
process.exit(cases.code || compared.code || crashes.code);
