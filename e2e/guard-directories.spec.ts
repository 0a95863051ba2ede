import { spawnSync } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { violationsOf } from './axe';
import { setUpOwner } from './first-owner';
import { expect, test } from './fixture';
import { repository, startProduct } from './product';

/** The `countersign guard` command, as whoever runs the tests: the owner of the directory, and of the console. */
function guard(...args: readonly string[]): { readonly code: number | null; readonly out: string } {
  const { status, stdout } = spawnSync(process.execPath, [path.join(repository, 'lib/cli/countersign.mjs'), 'guard', ...args], { encoding: 'utf8' });
  return { code: status, out: stdout };
}

test('an owner lets in what an agent asked for in an attached directory, and turns down what it should not have', async ({ place, openBrowser }) => {
  test.setTimeout(240_000);
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'countersign-e2e-guard-')));
  const state = path.join(folder, 'state');
  expect(guard('init', '--state', state, '--agent-uid', String((process.getuid?.() ?? 0) + 1)).code).toBe(0);
  const product = await startProduct('start', place, { COUNTERSIGN_GUARD_DIRS: `reports=${state}` });
  try {
    const page = await openBrowser();
    await setUpOwner(page, product);
    await page.goto(`${product.console}/policies/guards`);
    await expect(page.getByText('The console runs as the owner of this directory.')).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);

    const asked = guard('self-request', '--state', state, '--permission', 'export-report', '--reason', 'The weekly report needs it.');
    expect(asked.out).toContain('result: REFUSED_DIRECT_EDIT');
    // The page hears of it by itself.
    await page.getByRole('link', { name: /export-report/ }).click();
    await expect(page.getByRole('heading', { name: /Allow export-report in reports/ })).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: /Sign and apply/ }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('1 → 2')).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: /Sign and apply/ }).click();
    await expect(page.getByText('Applied as r2')).toBeVisible();
    expect(guard('check', '--state', state, '--operation', 'export-report')).toMatchObject({ code: 0 });

    guard('self-request', '--state', state, '--permission', 'drop-tables', '--reason', 'Faster.');
    await page.getByRole('link', { name: /drop-tables/ }).click();
    await page.getByRole('button', { name: /^Reject/ }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Nobody drops tables here.');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await expect(page.getByText('Rejected by')).toBeVisible();
    expect(guard('list', '--state', state).out).toContain('waiting: 0\n');
    expect(guard('check', '--state', state, '--operation', 'drop-tables')).toMatchObject({ code: 1 });
    await page.close();
  } finally {
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
