import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, test as base, type Page } from '@playwright/test';

import { bundleBytes } from '../lib/ledger/bundle';
import { hostileLedger } from '../lib/testing/hostile-ledger';
import { testWorkspace } from '../lib/testing/ledger-builder';
import { fingerprintOf } from '../lib/testing/ledger-harness/cast';
import { builtFrom } from '../lib/testing/ledger-harness/sign-told';
import { tellLedger } from '../lib/testing/ledger-harness/tell-ledger';
import { violationsOf } from './axe';
import { freshPlace } from './product';
import { runCommand } from './run-command';
import { chooseBundle, trustRoot, verdictOf, watchNetwork } from './verifier-page';

type Files = { readonly folder: string; readonly verifier: string; readonly root: string; readonly good: Uint8Array; readonly withheld: Uint8Array; readonly session: Uint8Array };

/** A bundle of everything that receipts tell of, and the verifier as its command prints it. No server runs. */
const test = base.extend<object, { readonly files: Files }>({
  files: [
    async ({}, use) => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-verifier-'));
      const printed = await runCommand(await freshPlace(), ['verifier']);
      expect(printed.code, printed.stderr).toBe(0);
      const verifier = path.join(folder, 'verify.html');
      await writeFile(verifier, printed.stdout);
      const told = await tellLedger('e2e', testWorkspace);
      const ledger = await builtFrom(told);
      const signer = told.cast.keys.console;
      const [session] = told.events.flatMap(({ predicate }) => (typeof predicate['session'] === 'string' ? [predicate['session']] : []));
      const choice = { signer, session: session as never };
      await use({
        folder, verifier, root: fingerprintOf(told.cast), good: bundleBytes(await ledger.bundle({ signer })),
        withheld: bundleBytes(await ledger.bundle({ signer, withhold: true })), session: bundleBytes(await ledger.bundle(choice)),
      });
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

const faults: string[] = [];
test.beforeEach(({ page }) => {
  faults.length = 0;
  page.on('console', (message) => { if (message.type() === 'error') faults.push(message.text()); });
  page.on('pageerror', (error) => faults.push(error.message));
});
test.afterEach(() => expect(faults, 'errors in the browser’s console').toEqual([]));

async function openVerifier(page: Page, { verifier }: Files): Promise<void> {
  await page.goto(pathToFileURL(verifier).href);
  await expect(page.locator('.verifier[data-ready="true"]')).toBeVisible();
}

async function put({ folder }: Files, name: string, bytes: Uint8Array): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, bytes);
  return file;
}

test('the verifier’s file is the same each time, carries its digest, and is small enough to send', async ({ files }) => {
  const place = await freshPlace();
  const [one, two] = [await runCommand(place, ['verifier']), await runCommand(place, ['verifier'])];
  expect(two.stdout).toBe(one.stdout);
  expect(one.stderr).toContain(`sha256 ${createHash('sha256').update(one.stdout).digest('hex')}`);
  expect(Buffer.byteLength(one.stdout)).toBeLessThan(2_000_000);
  expect(one.stdout).toContain(`default-src 'none'`);
  expect(one.stdout).not.toMatch(/\b(?:src|href)="https?:/u);
  expect(files.good.length).toBeGreaterThan(0);
});

test('from a disk it verifies a good bundle for whoever has the fingerprint, and asks for it once', async ({ page, files }) => {
  const asked = watchNetwork(page);
  await openVerifier(page, files);
  await chooseBundle(page, await put(files, 'good.json', files.good));
  await expect(verdictOf(page)).toContainText('issuer not verified');
  await expect(page.locator('.verdict-l .seal')).toHaveCount(0);
  await page.getByRole('button', { name: 'Receipts', exact: true }).click();
  await page.locator('.row-link').first().click();
  await expect(page.getByRole('complementary', { name: 'Receipt 0' })).toContainText('Consistent, issuer not verified');
  await trustRoot(page, files.root);
  await expect(verdictOf(page)).toContainText('Verified');
  await expect(page.locator('.verdict-l .seal')).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Decided again by the engine' })).toContainText(/0\s*differ/);
  await page.reload();
  await chooseBundle(page, await put(files, 'good.json', files.good));
  await expect(verdictOf(page)).toContainText('Verified');
  await page.getByRole('button', { name: 'Forget it' }).click();
  await expect(verdictOf(page)).toContainText('issuer not verified');
  expect(asked()).toEqual([]);
});

test('a bundle can be dropped', async ({ page, files }) => {
  await openVerifier(page, files);
  const dropped = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'dropped.json'));
    return transfer;
  }, new TextDecoder().decode(files.good));
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped });
  await expect(verdictOf(page)).toContainText('issuer not verified');
  await expect(verdictOf(page)).toContainText('dropped.json');
});

test('checkpoints that the reader kept show another history', async ({ page, files }) => {
  await openVerifier(page, files);
  await trustRoot(page, files.root);
  await chooseBundle(page, await put(files, 'good.json', files.good));
  await expect(verdictOf(page)).toContainText('Verified');
  const { checkpoints } = JSON.parse(new TextDecoder().decode(files.good)) as { readonly checkpoints: readonly string[] };
  await page.getByText('Checkpoints that you kept').click();
  await page.getByLabel('Exported checkpoints or pins').fill(checkpoints.at(-1) ?? '');
  await page.getByRole('button', { name: 'Compare with these' }).click();
  await expect(verdictOf(page)).toContainText('Verified');
  const [origin, size, , ...rest] = (checkpoints.at(-1) ?? '').split('\n');
  await page.getByLabel('Exported checkpoints or pins').fill([origin, size, Buffer.alloc(32).toString('base64'), ...rest].join('\n'));
  await page.getByRole('button', { name: 'Compare with these' }).click();
  await expect(verdictOf(page)).toContainText('does not hold');
  await expect(page.locator('.failed')).toContainText('Distrust the history');
});

test('what a green check does not prove is said in every state', async ({ page, files }) => {
  await openVerifier(page, files);
  const limits = page.getByRole('region', { name: 'What a green check does not prove' });
  await expect(limits).toContainText('nobody held all the keys');
  for (const [name, bytes, said] of [['torn.json', files.good.slice(0, 900), 'no bundle'], ['good.json', files.good, 'issuer not verified']] as const) {
    await chooseBundle(page, await put(files, name, bytes));
    await expect(verdictOf(page)).toContainText(said);
    await expect(limits).toBeVisible();
  }
});

test('no changed byte passes, and a torn file is named so', async ({ page, files }) => {
  await openVerifier(page, files);
  await trustRoot(page, files.root);
  for (const share of [0.001, 0.2, 0.4, 0.6, 0.8, 0.999]) {
    const changed = files.good.slice();
    const at = Math.floor(share * changed.length);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await chooseBundle(page, await put(files, `changed-${String(at)}.json`, changed));
    await expect(verdictOf(page)).toContainText(/does not hold|no bundle that can be read/);
    await expect(page.locator('.failed')).toContainText('Distrust');
    await expect(page.locator('.seal')).toHaveCount(0);
  }
});

test('another fingerprint fails at the trust root, with what was expected and what is there', async ({ page, files }) => {
  await openVerifier(page, files);
  await trustRoot(page, '0'.repeat(64));
  await chooseBundle(page, await put(files, 'good.json', files.good));
  const failed = page.locator('.failed');
  await expect(failed).toContainText('Expected0000 0000');
  await expect(failed).toContainText(files.root.slice(0, 4));
  await expect(failed).toContainText('Distrust everything');
});

test('withheld content is counted and named; a selection names its gaps', async ({ page, files }) => {
  await openVerifier(page, files);
  await trustRoot(page, files.root);
  await chooseBundle(page, await put(files, 'withheld.json', files.withheld));
  await expect(verdictOf(page)).toContainText('Verified');
  await expect(page.getByRole('region', { name: 'Decided again by the engine' })).toContainText('content withheld by the exporter');
  await chooseBundle(page, await put(files, 'session.json', files.session));
  await expect(page.getByRole('region', { name: 'What is not in the file' })).toContainText(/[1-9]\d* gaps?/);
});

test('a vote shows what its approver saw, and that it is what was signed', async ({ page, files }) => {
  await openVerifier(page, files);
  await trustRoot(page, files.root);
  await chooseBundle(page, await put(files, 'good.json', files.good));
  await page.getByRole('button', { name: 'Receipts', exact: true }).click();
  await page.getByLabel('Show').selectOption({ label: 'Votes' });
  await page.getByRole('button', { name: /Approval voted/ }).first().click();
  const drawer = page.getByRole('complementary', { name: /Receipt \d/ });
  await expect(drawer).toContainText('same digest as signed');
  await expect(drawer.getByRole('region', { name: 'What would run' })).toBeVisible();
  await expect(drawer.getByRole('region', { name: 'Why it was held' })).toBeVisible();
  await page.keyboard.press('j');
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
});

test('every state is usable by everybody, in light and dark', async ({ page, files }) => {
  test.setTimeout(180_000);
  await openVerifier(page, files);
  expect(await violationsOf(page), 'empty').toEqual([]);
  await chooseBundle(page, await put(files, 'torn.json', files.good.slice(0, 900)));
  expect(await violationsOf(page), 'unreadable').toEqual([]);
  await chooseBundle(page, await put(files, 'good.json', files.good));
  expect(await violationsOf(page), 'issuer not verified').toEqual([]);
  await trustRoot(page, files.root);
  await page.getByRole('button', { name: 'Receipts', exact: true }).click();
  await page.getByLabel('Show').selectOption({ label: 'Votes' });
  await page.getByRole('button', { name: /Approval voted/ }).first().click();
  await expect(page.locator('.held-screen')).toBeVisible();
  expect(await violationsOf(page), 'verified, a vote open').toEqual([]);
  const changed = files.good.slice();
  changed[Math.floor(changed.length / 2)] = 48;
  await chooseBundle(page, await put(files, 'changed.json', changed));
  expect(await violationsOf(page), 'failed').toEqual([]);
});

test('on a phone nothing is wider than the screen', async ({ page, files }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openVerifier(page, files);
  await trustRoot(page, files.root);
  await chooseBundle(page, await put(files, 'good.json', files.good));
  for (const list of ['Actions', 'Receipts']) {
    await page.getByRole('button', { name: list, exact: true }).click();
    await page.locator('.row-link').first().click();
    await expect(page.getByRole('complementary', { name: /Receipt \d/ })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }
});

test('a report verifies itself when it is opened, and says without scripts that it has not', async ({ page, files, browser }) => {
  const bundle = await put(files, 'bundle.json', files.good);
  const report = path.join(files.folder, 'report.html');
  const made = await runCommand(await freshPlace(), ['report', bundle, '--out', report]);
  expect(made, made.stderr).toMatchObject({ code: 0 });
  const asked = watchNetwork(page);
  await page.goto(pathToFileURL(report).href);
  await expect(verdictOf(page)).toContainText('issuer not verified');
  await trustRoot(page, files.root);
  await expect(verdictOf(page)).toContainText('Verified');
  expect(asked()).toEqual([]);
  await test.step('without scripts it says that nothing of it is verified', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const still = await plain.newPage();
    await still.goto(pathToFileURL(report).href);
    await expect(still.getByRole('heading', { level: 1 })).toHaveText('Countersign report');
    await expect(still.locator('main')).toContainText('Nothing of it is verified');
    await expect(still.getByRole('table')).toContainText('notes.write');
    await plain.close();
  });
});

test('no name or text of an agent breaks out of a report, nor of the verifier', async ({ page, files }) => {
  const bundle = await put(files, 'hostile.json', await (await hostileLedger()).bytes());
  const report = path.join(files.folder, 'hostile.html');
  expect((await runCommand(await freshPlace(), ['report', bundle, '--out', report])).code).toBe(0);
  const asked = watchNetwork(page);
  page.on('dialog', (dialog) => { faults.push(`a dialog: ${dialog.message()}`); void dialog.dismiss(); });
  await page.goto(pathToFileURL(report).href);
  // Whatever the verdict on such a log is: what counts is that all of it is drawn and none of it runs.
  await expect(verdictOf(page)).toBeVisible();
  await page.getByRole('button', { name: 'Receipts', exact: true }).click();
  await page.getByLabel('Show').selectOption({ label: 'Decisions' });
  await page.locator('.row-link').nth(1).click();
  await expect(page.getByRole('complementary', { name: /Receipt \d/ })).toContainText('</script><script>');
  await expect(page.locator('.esc').first()).toBeVisible();
  expect(await page.evaluate(() => 'hacked' in window || document.querySelector('.verifier script, .verifier img, .verifier base, #claims') !== null)).toBe(false);
  expect(asked()).toEqual([]);
});
