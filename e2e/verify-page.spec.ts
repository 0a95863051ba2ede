import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from './fixture';
import { runCommand } from './run-command';
import { chooseBundle, trustRoot, verdictOf, watchNetwork } from './verifier-page';

test('the page checks a bundle without asking any server, for a reader without an account', async ({ openBrowser, demo }) => {
  test.setTimeout(180_000);
  const bundle = path.join(demo.stateDirectory, 'bundle-for-the-page');
  expect((await runCommand(demo, ['export', '--out', bundle])).code).toBe(0);
  const page = await openBrowser();
  const answer = await page.goto(`${demo.console}/verify`);
  expect(answer?.headers()['content-security-policy']).toContain("script-src 'self' 'nonce-");
  await expect(page.locator('.verifier[data-ready="true"]')).toBeVisible();
  await page.waitForLoadState('networkidle');

  const asked = watchNetwork(page);
  await chooseBundle(page, bundle);
  await expect(verdictOf(page)).toContainText('issuer not verified');
  await trustRoot(page, demo.rootFingerprint);
  await expect(verdictOf(page)).toContainText('Verified');
  await expect(page.locator('.verdict-l .seal')).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Decided again by the engine' })).toContainText(/0\s*differ/);
  await page.getByRole('button', { name: 'Receipts', exact: true }).click();
  await page.locator('.row-link').first().click();
  await expect(page.getByRole('complementary', { name: 'Receipt 0' })).toContainText('Signed by a key that was delegated');
  const changed = path.join(demo.stateDirectory, 'changed-for-the-page');
  await writeFile(changed, '{"schema":"countersign/bundle/v1"}');
  await chooseBundle(page, changed);
  await expect(verdictOf(page)).toContainText('no bundle that can be read');
  expect(asked()).toEqual([]);
});

test('the page offers the verifier as one file, the same that the command prints', async ({ openBrowser, demo }) => {
  const page = await openBrowser();
  await page.goto(`${demo.console}/verify`);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'take the verifier as one file' }).click();
  const saved = path.join(demo.stateDirectory, 'verify.html');
  await (await downloading).saveAs(saved);
  const printed = await runCommand(demo, ['verifier']);
  expect(await readFile(saved, 'utf8')).toBe(printed.stdout);
});
