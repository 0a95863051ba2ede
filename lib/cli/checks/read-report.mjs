import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from '../bootstrap/paths.mjs';

/** Where a test runner writes its report; the one of an earlier run is removed, so that a crash cannot pass with it. */
export function freshReport(name) {
  const file = inRoot('test-results', `${name}.json`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.rmSync(file, { force: true });
  return file;
}

/**
 * Turns a runner's exit code and report into counts. No report, no test, or a bad exit without a failed test to show for it (an error
 * outside any test) is one failure more.
 */
export function countReport(file, code, count) {
  if (!fs.existsSync(file)) return { passed: 0, failed: 1 };
  const counts = count(JSON.parse(fs.readFileSync(file, 'utf8')));
  const ranNothing = counts.passed + counts.failed === 0;
  const failedOutside = code !== 0 && counts.failed === 0;
  return ranNothing || failedOutside ? { ...counts, failed: counts.failed + 1 } : counts;
}
