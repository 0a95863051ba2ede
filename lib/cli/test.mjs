import { bootstrap } from './bootstrap/bootstrap.mjs';
import { findChromium } from './bootstrap/chromium.mjs';
import { log } from './bootstrap/log.mjs';
import { inRoot } from './bootstrap/paths.mjs';
import { runChecks } from './checks/run-checks.mjs';
import { runEndToEnd } from './checks/run-end-to-end.mjs';
import { runVitest } from './checks/run-vitest.mjs';

// `npm test`: sets everything up and runs all there is, each step to its end, so that one run tells all that is wrong. The last line is
// the sum. A step that crashes, or finds nothing to run, counts as a failure.

process.chdir(inRoot());
await bootstrap({ console: true });
const chromium = await findChromium();
log(`browser: ${chromium}`);

const steps = {
  checks: () => runChecks(),
  'unit tests': () => runVitest('unit'),
  'integration tests': () => runVitest('integration'),
  'end-to-end tests': () => runEndToEnd(chromium),
};

const total = { passed: 0, failed: 0, skipped: 0 };
for (const [name, step] of Object.entries(steps)) {
  log(name);
  const result = await step();
  const line = `${name}: ${summary(result)}`;
  log(line);
  for (const key of Object.keys(total)) total[key] += result[key] ?? 0;
}
process.stdout.write(`\n${summary(total)}\n`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);

function summary({ passed, failed, skipped = 0 }) {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}
