import type { Page } from '@playwright/test';

import { approveButton, enrolKey, openHeld, tickEveryCheck } from '../approvals-page';
import { violationsOf } from '../axe';
import { present, type Demo, type RoleName } from '../demo';
import { expect, test } from '../fixture';
import { deletion } from '../held-work';

type Screen = readonly [what: string, path: string, ready: (page: Page) => Promise<void>];

const heading = (name: string | RegExp) => async (page: Page) => await expect(page.getByRole('heading', { level: 1, name }).first()).toBeVisible();
const settled = async (page: Page) => await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);

const screens: readonly (readonly [RoleName, readonly Screen[]])[] = [
  ['owner', [
    ['overview', '/', heading(/./)],
    ['policies', '/policies', heading('Policies')],
    ['revisions', '/policies?tab=revisions', heading('Policies')],
    ['receipts', '/receipts', heading('Receipts')],
    ['agents', '/agents', heading('Agents')],
    ['settings', '/settings', heading('Settings')],
    ['trust', '/settings/trust', heading('Trust')],
    ['nothing there', '/no-such-page', heading(/./)],
  ]],
  ['admin', [['agents', '/agents', heading('Agents')], ['settings', '/settings', heading('Settings')]]],
  ['approver', [
    ['approvals', '/approvals', heading('Approvals')],
    ['decided', '/approvals?tab=decided', heading('Approvals')],
    ['deferred', '/deferrals', heading('Approvals')],
    ['not for this role', '/receipts', heading(/./)],
  ]],
  ['requester', [['requests', '/requests', heading('Requests')]]],
];

for (const [role, places] of screens) {
  test(`${role}: every page is usable by everybody, in light and dark`, async ({ signIn, demo, mayComplain }) => {
    test.setTimeout(180_000);
    mayComplain(/no-such-page.*404/);
    const page = await signIn(role);
    for (const [what, path, ready] of places) {
      await test.step(what, async () => {
        await page.goto(demo.console + path);
        await ready(page);
        await settled(page);
        expect(await violationsOf(page), what).toEqual([]);
      });
    }
  });
}

test('the page that verifies bundles needs no account', async ({ openBrowser, demo }) => {
  const page = await openBrowser();
  await page.goto(`${demo.console}/verify`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
});

test('the sign-in page, a refusal on it included', async ({ openBrowser, demo, mayComplain }) => {
  mayComplain(/401/);
  const page = await openBrowser();
  await page.goto(`${demo.console}/sign-in`);
  await page.getByLabel('E-mail').fill('nobody@harbor.example');
  await page.getByLabel('Password').fill('nothing that is right');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('No account has this address and password.');
  expect(await violationsOf(page)).toEqual([]);
});

test('a held request, its dialogs, and a receipt', async ({ signIn, demo }) => {
  test.setTimeout(180_000);
  const held = await hold(demo);
  const page = await signIn('approver');
  await openHeld(page, demo.console, held.approval);
  await expect(page.getByRole('region', { name: 'Why it was held' })).toBeVisible();
  expect(await violationsOf(page), 'without a key').toEqual([]);
  await enrolKey(page);
  await tickEveryCheck(page);
  await approveButton(page).click();
  await expect(page.getByRole('dialog', { name: 'Sign this approval' })).toBeVisible();
  expect(await violationsOf(page), 'signing').toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByRole('dialog', { name: 'Deny this action' })).toBeVisible();
  expect(await violationsOf(page), 'denying').toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await violationsOf(page), 'help').toEqual([]);

  const auditor = await signIn('auditor');
  await auditor.goto(`${demo.console}/receipts?action=${held.action}`);
  await auditor.getByRole('table', { name: /Receipts/ }).getByRole('link').first().click();
  await expect(auditor.getByText(/issuer not verified|Not everything could be checked yet/)).toBeVisible({ timeout: 30_000 });
  expect(await violationsOf(auditor), 'receipt').toEqual([]);
  await auditor.goto(`${demo.console}/sessions/${held.session}`);
  await expect(auditor.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await violationsOf(auditor), 'session').toEqual([]);
});

async function hold(demo: Demo) {
  const session = await demo.openSession(deletion.session);
  const action = await demo.propose('harbor-assistant', session, deletion.proposal);
  return { session, action: action.id, approval: present(action.approval, 'approval').id };
}
