import { run } from '../bootstrap/run.mjs';
import { countReport, freshReport } from './read-report.mjs';

/** Runs one project of the Vitest configuration. */
export async function runVitest(project) {
  const report = freshReport(project);
  const args = ['run', '--project', project, '--reporter', 'default', '--reporter', 'json', `--outputFile.json=${report}`];
  const { code } = await run(process.execPath, ['node_modules/vitest/vitest.mjs', ...args]);
  return countReport(report, code, countTests);
}

/** A file that cannot be loaded has no test to fail: it counts itself. */
function countTests({ numPassedTests, numFailedTests, numPendingTests, testResults }) {
  const broken = testResults.filter((file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'));
  return { passed: numPassedTests, failed: numFailedTests + broken.length, skipped: numPendingTests };
}
