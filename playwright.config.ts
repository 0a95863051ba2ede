import { defineConfig, devices } from '@playwright/test';

const isRoot = process.getuid?.() === 0;
const chromium = process.env['CHROMIUM_PATH'];

/**
 * One file a user promise. The specs start their own Countersign through a fixture, on a state directory and ports of their own, so that
 * a running one is not touched.
 */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/e2e',
  workers: 1,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env['CI'] !== undefined,
  retries: 0,
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    // What is not there after this long does not come; without it a renamed button costs the whole of a long test's timeout.
    actionTimeout: 60_000,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: [
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // The browser's own sandbox refuses to start for root.
        ...(isRoot ? ['--no-sandbox'] : []),
      ],
    },
  },
});
