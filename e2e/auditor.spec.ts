import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Page } from '@playwright/test';

import { violationsOf } from './axe';
import { present, type Demo } from './demo';
import { expect, test } from './fixture';
import { change } from './held-work';
import { ownedDatabase } from './owned-database';
import { runCommand } from './run-command';

const table = (page: Page) => page.getByRole('table', { name: /^Receipts/ });
const drawer = (page: Page) => page.getByRole('complementary', { name: /^Receipt/ });
const verdict = (page: Page) => drawer(page).getByRole('status').filter({ hasText: /check|fails|issuer/i });

/** An agent that wants too much, so that there is something to find. */
async function denied(demo: Demo): Promise<string> {
  const session = await demo.openSession(change.session);
  const { id, state } = await demo.propose('harbor-ops', await demo.openSession({ ...change.session, agent: 'harbor-ops' }), { tool: 'database', operation: 'drop', parameters: { table: 'orders' } });
  expect(state).toBe('denied');
  await demo.propose('harbor-assistant', session, change.proposal);
  return id;
}

async function download(page: Page, press: () => Promise<void>, to: string): Promise<string> {
  const downloading = page.waitForEvent('download');
  await press();
  const file = await downloading;
  const saved = path.join(to, file.suggestedFilename());
  await file.saveAs(saved);
  return saved;
}

test('an auditor finds, keeps, verifies and takes out', async ({ signIn, openBrowser, demo }) => {
  test.setTimeout(180_000);
  const action = await denied(demo);
  const page = await signIn('auditor');
  await page.goto(`${demo.console}/receipts`);
  await page.evaluate((fingerprint) => localStorage.setItem('countersign.root', fingerprint), demo.rootFingerprint);

  await test.step('filters stand in the address, as chips, and behind the back button', async () => {
    await page.getByRole('group', { name: 'Decision' }).getByRole('button', { name: 'Deny' }).click();
    await expect(page).toHaveURL(/decision=DENY/);
    await page.getByRole('button', { name: 'More filters' }).click();
    const form = page.getByRole('dialog', { name: 'Filter receipts' });
    await form.getByLabel('Session').fill('ses_1');
    await expect(form.getByText('An id of the form ses_… is needed here.')).toBeVisible();
    await form.getByLabel('Session').fill('');
    await form.getByLabel('Agent').fill('harbor-ops');
    await form.getByRole('button', { name: 'Filter' }).click();
    await expect(page).toHaveURL(/agent=harbor-ops/);
    const chips = page.getByRole('list', { name: 'Filters that are on' });
    await expect(chips.getByRole('button', { name: /^Remove the filter/ })).toHaveCount(2);
    await expect(table(page).getByRole('row').nth(1)).toContainText('harbor-ops');
    await page.goBack();
    await expect(page).not.toHaveURL(/agent=/);
    await page.goForward();
    await expect(chips.getByRole('button', { name: /agent/ })).toBeVisible();
  });

  await test.step('an empty list names the filters, and how many receipts they hide', async () => {
    await page.goto(`${demo.console}/receipts?agent=nobody-here&rule=no-such-rule`);
    await expect(page.getByText('No receipt matches agent nobody-here and rule no-such-rule.')).toBeVisible();
    await expect(page.getByText(/2 filters together hide all \d+ receipts of the log/)).toBeVisible();
    await page.getByRole('button', { name: 'Without rule no-such-rule' }).click();
    await expect(page.getByText('The filter “agent nobody-here” hides all')).toBeVisible();
  });

  await test.step('a view is saved under a name, found again in another browser, and deleted', async () => {
    await page.goto(`${demo.console}/receipts?decision=DENY&agent=harbor-ops`);
    await page.getByRole('button', { name: /^View/ }).click();
    await page.getByRole('menuitem', { name: /^Save what is shown/ }).click();
    const saving = page.getByRole('dialog', { name: 'Save this view' });
    await saving.getByLabel('Name').fill('Denials of ops');
    await saving.getByRole('button', { name: 'Save the view' }).click();
    await expect(page.getByRole('button', { name: 'View: Denials of ops' })).toBeVisible();
    const elsewhere = await signIn('auditor');
    await elsewhere.goto(`${demo.console}/receipts`);
    await elsewhere.getByRole('button', { name: /^View/ }).click();
    await elsewhere.getByRole('menuitem', { name: 'Denials of ops' }).click();
    await expect(elsewhere).toHaveURL(/decision=DENY.*agent=harbor-ops|agent=harbor-ops.*decision=DENY/);
    await elsewhere.getByRole('button', { name: /^View/ }).click();
    await elsewhere.getByRole('menuitem', { name: /^Rename or delete/ }).click();
    await elsewhere.getByRole('button', { name: 'Delete the view Denials of ops' }).click();
    await expect(elsewhere.getByText('You have saved none.')).toBeVisible();
  });

  await test.step('J moves, Enter opens, Escape closes', async () => {
    await page.goto(`${demo.console}/receipts?action=${action}`);
    await expect(table(page).getByRole('link').first()).toBeVisible();
    await page.keyboard.press('j');
    await expect(table(page).getByRole('link').first()).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(drawer(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(drawer(page)).toHaveCount(0);
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox', { name: 'Filter receipts' })).toBeFocused();
    await page.keyboard.press('Escape');
  });

  await test.step('the browser verifies the receipt and its whole action, the decision made again included', async () => {
    await page.goto(`${demo.console}/receipts?action=${action}&kind=action_decided`);
    await table(page).getByRole('link').first().click();
    await expect(verdict(page)).toContainText(/All \d+ checks pass/, { timeout: 30_000 });
    await expect(drawer(page).getByText('Decision re-derived: the same')).toBeVisible();
    await expect(drawer(page).getByRole('heading', { name: 'Decision, approval, outcome' })).toBeVisible();
    await expect(drawer(page).getByRole('heading', { name: 'The session around it' })).toBeVisible();
    await expect(drawer(page).getByText('Update the orders that were delivered', { exact: false })).toBeVisible();
    expect(await violationsOf(page), 'a receipt that verifies').toEqual([]);
  });

  await test.step('the case leaves as a bundle and as a report that verifies itself from a disk', async () => {
    const bundle = await download(page, () => drawer(page).getByRole('link', { name: 'Bundle' }).click(), demo.stateDirectory);
    const verified = await runCommand(demo, ['verify', bundle, '--root', demo.rootFingerprint]);
    expect(verified, verified.stdout + verified.stderr).toMatchObject({ code: 0 });
    const report = await download(page, () => drawer(page).getByRole('link', { name: /^Report/ }).click(), demo.stateDirectory);
    expect(report).toMatch(/\.html$/);
    const reader = await openBrowser();
    await reader.goto(pathToFileURL(report).href);
    await expect(reader.getByText(/issuer not verified/i).first()).toBeVisible({ timeout: 30_000 });
  });

  await test.step('the list leaves as a table in which nothing runs, and each export has a receipt', async () => {
    await page.goto(`${demo.console}/receipts?decision=DENY`);
    await page.getByRole('button', { name: 'Export' }).click();
    const exporting = page.getByRole('dialog', { name: 'Export receipts' });
    await exporting.getByText('Table, CSV').click();
    const csv = await readFile(await download(page, () => exporting.getByRole('link', { name: 'Export' }).click(), demo.stateDirectory), 'utf8');
    const lines = csv.replace(/^\ufeff/, '').trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^index,receipt,time_utc,kind,decision/);
    expect(lines.slice(1).every((line) => line.split(',')[4] === 'DENY')).toBe(true);
    expect(lines.some((line) => /^"?[=+@-]/.test(line))).toBe(false);
    await page.goto(`${demo.console}/receipts?kind=export_made`);
    await expect(table(page).getByRole('row')).toHaveCount(4);
  });

  await test.step('reconciliation lists what did not come, and looks at every position of the log', async () => {
    await page.goto(`${demo.console}/receipts/reconciliation`);
    for (const list of ['No outcome yet', 'Outcome unknown', 'Permits never used', 'Redemptions refused']) {
      await page.getByRole('navigation', { name: 'What did not come' }).getByRole('link', { name: list }).click();
      await expect(page.getByRole('table').or(page.getByText(/Every permit|No outcome is|No permit was/))).toBeVisible();
    }
    expect(await violationsOf(page), 'reconciliation').toEqual([]);
    await page.getByRole('link', { name: 'Gaps in the log' }).click();
    await expect(page.getByText('No position is missing.')).toBeVisible();
  });
});

test('whoever changes a row of the database is found out by the auditor’s browser, which says what', async ({ signIn, demo }) => {
  test.setTimeout(120_000);
  const action = await denied(demo);
  const page = await signIn('auditor');
  await page.goto(`${demo.console}/receipts?action=${action}&kind=action_decided`);
  await page.evaluate((fingerprint) => localStorage.setItem('countersign.root', fingerprint), demo.rootFingerprint);
  await page.reload();
  await table(page).getByRole('link').first().click();
  await expect(verdict(page)).toContainText(/All \d+ checks pass/, { timeout: 30_000 });
  const receipt = present(new URL(page.url()).searchParams.get('receipt'), 'receipt');

  const database = await ownedDatabase(demo);
  try {
    await test.step('a column that the list shows', async () => {
      await database.query(`UPDATE "receipts" SET "decision" = 'ALLOW' WHERE "id" = $1`, [receipt]);
      await page.reload();
      await expect(verdict(page)).toContainText('the list shows something else than was signed', { timeout: 30_000 });
      await expect(drawer(page).getByText('The list says decision ALLOW; signed is DENY.').first()).toBeVisible();
      await database.query(`UPDATE "receipts" SET "decision" = 'DENY' WHERE "id" = $1`, [receipt]);
    });

    await test.step('the signature', async () => {
      const { rows } = await database.query<{ envelope: string }>(`SELECT "envelope" FROM "receipts" WHERE "id" = $1`, [receipt]);
      const envelope = present(rows[0], 'row').envelope;
      const changed = envelope.replace(/"sig":"(.)/, (_all, first: string) => `"sig":"${first === 'A' ? 'B' : 'A'}`);
      await database.query(`UPDATE "receipts" SET "envelope" = $2 WHERE "id" = $1`, [receipt, changed]);
      await page.reload();
      await expect(verdict(page)).toContainText(/fails: no delegated key signed it/, { timeout: 30_000 });
      await expect(drawer(page).getByText(/did not sign these bytes/).first()).toBeVisible();
      expect(await violationsOf(page), 'a receipt that fails').toEqual([]);
      await database.query(`UPDATE "receipts" SET "envelope" = $2 WHERE "id" = $1`, [receipt, envelope]);
    });

    await test.step('the content beside the log', async () => {
      await database.query(`UPDATE "contents" SET "body" = replace("body", '"orders"', '"others"')`);
      await page.reload();
      await expect(verdict(page)).toContainText('content is not what the receipts name', { timeout: 30_000 });
      await database.query(`UPDATE "contents" SET "body" = replace("body", '"others"', '"orders"')`);
    });

    await test.step('and what is as it was verifies again', async () => {
      await page.reload();
      await expect(verdict(page)).toContainText(/All \d+ checks pass/, { timeout: 30_000 });
    });
  } finally {
    await database.end();
  }
});

test('on a phone a receipt takes the place of the list, and nothing stands out at the side', async ({ signIn, demo }) => {
  const action = await denied(demo);
  const page = await signIn('auditor', { viewport: { width: 390, height: 844 }, hasTouch: true });
  for (const place of ['/receipts?decision=DENY&span=today&agent=harbor-ops', `/receipts?action=${action}`, '/receipts/reconciliation?list=gaps']) {
    await page.goto(demo.console + place);
    await expect(page.getByRole('heading', { level: 1, name: 'Receipts' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), place).toBeLessThanOrEqual(390);
    expect(await violationsOf(page), place).toEqual([]);
  }
  await page.goto(`${demo.console}/receipts?action=${action}`);
  await table(page).getByRole('link').first().click();
  await expect(drawer(page).getByRole('heading', { name: /^Receipt \d/ })).toBeInViewport();
  await expect(table(page)).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
