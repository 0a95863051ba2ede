import { run } from '../bootstrap/run.mjs';
import { countReport, freshReport } from './read-report.mjs';

/** Runs the Playwright specs with that browser. A test that passed only at a second try did not pass. */
export async function runEndToEnd(chromium) {
  const report = freshReport('end-to-end');
  const env = { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const { code } = await run(process.execPath, ['node_modules/@playwright/test/cli.js', 'test', '--reporter', 'list,json'], { env });
  return countReport(report, code, ({ stats, errors }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  }));
}
