import path from 'node:path';

import type { Page } from '@playwright/test';

import { approveButton, openHeld, signApproval, tickEveryCheck } from './approvals-page';
import { addAuthenticator } from './authenticator';
import { violationsOf } from './axe';
import { present } from './demo';
import { setUpOwner } from './first-owner';
import { expect, test } from './fixture';
import { payment } from './held-work';
import { runAgent } from './run-agent';
import { runCommand } from './run-command';
import { shoot } from './shoot';

// By its name the last to run: people of the demo, which all specs share, keep the passkeys that they enrol here.
test.describe.configure({ timeout: 300_000 });

const highByBrowser = 'Browser keys may sign high impact here.';

const enrolPasskey = (page: Page) => page.getByRole('button', { name: 'Enrol a passkey' });

test('two people approve high impact with passkeys of both algorithms, and the votes verify offline', async ({ signIn, demo }) => {
  const agent = runAgent(demo, 'harbor-bookkeeper', await demo.openSession(payment.session), payment.proposal);
  const held = present((await agent.when('proposed')).action, 'action');
  const { id } = present(held.approval, 'approval');

  for (const [role, algorithm, end] of [['approver', 'ES256', 'Signed, 1 of 2.'], ['second approver', 'EdDSA', 'Approved, quorum met.']] as const) {
    await test.step(`${role}, ${algorithm}`, async () => {
      const page = await signIn(role);
      await addAuthenticator(page, { algorithm });
      await openHeld(page, demo.console, id);
      await shoot(page, `no-key-${role.replace(' ', '-')}`);
      await enrolPasskey(page).click();
      await expect(approveButton(page)).not.toHaveText(/No key here/);
      await tickEveryCheck(page);
      await approveButton(page).click();
      const dialog = page.getByRole('dialog', { name: 'Sign this approval' });
      await dialog.getByRole('textbox').fill('The overhaul is booked.');
      await expect(dialog.getByRole('button', { name: /Use my passkey/ })).toBeVisible();
      expect(await violationsOf(page)).toEqual([]);
      await shoot(page, `sign-${role.replace(' ', '-')}`);
      await page.keyboard.press('Escape');
      await signApproval(page, 'The overhaul is booked.');
      await expect(page.getByRole('status').filter({ hasText: end })).toBeVisible();
      await openHeld(page, demo.console, id);
      await expect(page.getByRole('article').getByRole('region', { name: 'Signatures' })).toContainText('passkey');
    });
  }
  expect((await agent.when('executed')).execute).toMatchObject({ parameters: { amount: 18_500 } });

  const bundle = path.join(demo.stateDirectory, 'passkeys.json');
  expect(await runCommand(demo, ['export', '--out', bundle])).toMatchObject({ code: 0 });
  const sound = await runCommand(demo, ['verify', bundle, '--root', demo.rootFingerprint]);
  expect(sound.stdout + sound.stderr).toContain('VERIFIED: everything holds');
  expect(sound.code).toBe(0);
  // The demo’s root lets browser keys sign high impact, and says so for good.
  const owner = await signIn('owner');
  await expect(owner.getByText(highByBrowser)).toBeVisible();
});

test('an authenticator that does not make sure of the person enrols nothing, and signs nothing', async ({ signIn, demo }) => {
  const page = await signIn('admin');
  await addAuthenticator(page, { verifiesUser: false });
  await page.goto(`${demo.console}/settings`);
  await enrolPasskey(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Your passkey didn’t answer.' })).toContainText('No key was enrolled.');
  await expect(page.getByText('You have no key.')).toBeVisible();
});

test('a person names a key, adds another with the word of the first, and revokes one for good', async ({ signIn, demo }) => {
  const page = await signIn('auditor');
  await addAuthenticator(page);
  await page.goto(`${demo.console}/settings`);
  await enrolPasskey(page).click();
  const table = page.getByRole('table', { name: 'Your keys' });
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table).toContainText('Made in this browser');
  await table.getByRole('button', { name: /^Rename/ }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Laptop');
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(table).toContainText('Laptop');

  await page.getByRole('button', { name: 'Make a browser key' }).click();
  await expect(table.getByRole('row')).toHaveCount(3);
  expect(await violationsOf(page)).toEqual([]);
  await shoot(page, 'keys');
  await page.getByRole('button', { name: 'Revoke Laptop' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke this key for good?' });
  expect(await violationsOf(page)).toEqual([]);
  await shoot(page, 'revoke');
  await dialog.getByRole('button', { name: 'Revoke the key' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(page.getByText(/^Revoked:/)).toBeVisible();
});

test('the first owner’s passkey signs set-up and a policy, and browser keys may then sign nothing high', async ({ fresh, openBrowser }) => {
  const page = await openBrowser();
  const authenticator = await addAuthenticator(page);
  await setUpOwner(page, fresh);
  expect(await authenticator.signatures()).toBeGreaterThanOrEqual(4);
  await page.goto(`${fresh.console}/settings`);
  const keys = page.getByRole('table', { name: 'Your keys' });
  await expect(keys).toContainText('policies');
  expect(await violationsOf(page)).toEqual([]);
  await shoot(page, 'owner-keys');

  await test.step('the root keeps browser keys to low and medium impact, so there is no banner', async () => {
    await expect(page.getByText(highByBrowser)).toHaveCount(0);
    await page.getByRole('button', { name: 'Make a browser key' }).click();
    const row = keys.getByRole('row').filter({ hasText: 'waits for an owner' });
    await expect(row).toBeVisible();
    await page.getByRole('button', { name: 'Countersign' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('A key that is theirs already');
    await expect(dialog).toContainText('You sign with your passkey');
    expect(await violationsOf(page)).toEqual([]);
    await shoot(page, 'countersign');
    await dialog.getByRole('button', { name: 'Sign the roster' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(keys.getByRole('row').filter({ hasText: 'Browser key' })).toContainText(/low impact, medium impact$|low impact, medium impact(?!,)/);
  });

  await test.step('the passkey signs the next policy, and is said to ask for each document', async () => {
    await page.goto(`${fresh.console}/policies/edit`);
    await expect(page.getByText(/^Loads with \d+ rules/)).toBeVisible();
    await page.getByRole('textbox', { name: /^Policy text/ }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('\n# signed with a passkey\n');
    await expect(page.getByText(/Draft saved/)).toBeVisible();
    await page.getByRole('button', { name: 'Propose' }).click();
    await page.getByRole('dialog').getByLabel('Why').fill('To see a passkey sign.');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign and propose' }).click();
    await page.getByRole('link', { name: 'Look at the proposal' }).click();
    const before = await authenticator.signatures();
    await page.getByRole('button', { name: /^Sign 1 of 1/ }).click({ timeout: 90_000 });
    const dialog = page.getByRole('dialog', { name: 'Sign this proposal' });
    await expect(dialog).toContainText('It asks you 3 times');
    expect(await violationsOf(page)).toEqual([]);
    await shoot(page, 'passkey-proposal');
    await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
    await expect(page.getByText(/revision 2 is in force/)).toBeVisible();
    expect(await authenticator.signatures()).toBe(before + 3);
  });

  await test.step('all of it verifies offline, from the fingerprint on', async () => {
    const bundle = path.join(fresh.stateDirectory, 'set-up.json');
    expect(await runCommand(fresh, ['export', '--out', bundle])).toMatchObject({ code: 0 });
    const checked = await runCommand(fresh, ['verify', bundle]);
    expect(checked.stdout + checked.stderr).not.toContain('failed');
  });
});
