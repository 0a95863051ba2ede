import fs from 'node:fs';
import { log } from './log.mjs';
import { run } from './run.mjs';

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * Path of a browser for the end-to-end tests: the one of CHROMIUM_PATH, an installed one, Playwright's own, else the system's package
 * (as root on Debian and its relatives) or Playwright's download. Throws with the way out when none of them can be had.
 */
export async function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (fs.existsSync(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`);
  }
  const present = await firstPresent();
  if (present) return present;
  if (process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get')) {
    log('installing Chromium from the system’s packages');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env });
  } else {
    log('downloading Playwright’s Chromium');
    await run(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium']);
  }
  const fetched = await firstPresent();
  if (fetched) return fetched;
  throw new Error('No Chromium for the end-to-end tests. Install one, or set CHROMIUM_PATH to its program.');
}

async function firstPresent() {
  const { chromium } = await import('@playwright/test');
  return [...installed, chromium.executablePath()].find((file) => fs.existsSync(file));
}
