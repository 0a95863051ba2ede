import type { Page } from '@playwright/test';

import { violationsOf } from './axe';
import { firstOwner, setUpOwner } from './first-owner';
import { expect, test } from './fixture';
import { setClocksForward } from './later';
import { startProduct } from './product';
import { shoot } from './shoot';
import { signInAs } from './sign-in';

// Two starts of a product of its own, which builds it where that was not done yet.
test.describe.configure({ timeout: 420_000 });

const band = (page: Page) => page.getByRole('note').filter({ hasText: 'The recovery key is to replace the owners' });

/** From "a password and nothing else" to an announced recovery, by the page alone. */
async function announce(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(code);
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByRole('radio', { name: /A new key in this browser/ }).check();
  await page.getByRole('button', { name: 'Make my key and go on' }).click();
  await expect(page.getByText('"version": 2')).toBeVisible();
  await page.getByRole('button', { name: 'Sign with the recovery key and announce' }).click();
  await expect(page.getByRole('heading', { name: 'Trust root 2 is announced' })).toBeVisible();
}

test('an owner whose key is lost gets another with the password and the recovery code, a day after everybody could see it', async ({ fresh, place, openBrowser }) => {
  const before = await openBrowser();
  const { recoveryCode } = await setUpOwner(before, fresh);
  const page = await openBrowser();

  await test.step('from the sign-in page, with the password', async () => {
    await page.goto(`${fresh.console}/sign-in`);
    await page.getByRole('link', { name: 'use the recovery key' }).click();
    await expect(page.getByText('Sign in to use the recovery key.')).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    await shoot(page, 'recover-sign-in', { fullPage: true });
    await page.getByLabel('E-mail').fill(firstOwner.email);
    await page.getByLabel('Password').fill(firstOwner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Recover' })).toBeVisible();
  });

  await test.step('a wrong code, and a key of another Countersign, are told apart', async () => {
    const field = page.getByRole('textbox', { name: 'Recovery code' });
    await field.fill('ABCD EFGH');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'It has 8 letters and digits; a recovery code has 56.' })).toBeVisible();
    await field.fill(`${recoveryCode.startsWith('B') ? 'C' : 'B'}${recoveryCode.slice(1)}`);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'A letter or digit was copied wrong.' })).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    await shoot(page, 'recover-key', { fullPage: true });
    const stranger = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
    const pem = `-----BEGIN PRIVATE KEY-----\n${Buffer.from(await crypto.subtle.exportKey('pkcs8', stranger.privateKey)).toString('base64')}\n-----END PRIVATE KEY-----\n`;
    await page.locator('input[type="file"]').setInputFiles({ name: 'countersign-recovery.pem', mimeType: 'application/x-pem-file', buffer: Buffer.from(pem) });
    await expect(page.getByRole('alert').filter({ hasText: 'This key belongs to another Countersign.' })).toBeVisible();
  });

  await test.step('announced; what leaves the browser is what it signed, and every screen shows it', async () => {
    const sent: string[] = [];
    page.on('request', (request) => void sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCode.toLowerCase());
    await page.getByRole('button', { name: 'Use this key' }).click();
    await expect(page.getByRole('heading', { name: 'The new owners' })).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    await shoot(page, 'recover-owners', { fullPage: true });
    await page.getByRole('button', { name: 'Make my key and go on' }).click();
    await expect(page.getByText('"version": 2')).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    await shoot(page, 'recover-read', { fullPage: true });
    await page.getByRole('button', { name: 'Sign with the recovery key and announce' }).click();
    await expect(page.getByRole('heading', { name: 'Trust root 2 is announced' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Wait for the day to pass' })).toHaveAttribute('aria-disabled', 'true');
    expect(await violationsOf(page)).toEqual([]);
    await shoot(page, 'recover-announced', { fullPage: true });
    const letters = recoveryCode.replaceAll(' ', '');
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((one) => one.toUpperCase().replaceAll(/[\s-]/g, '').includes(letters.slice(0, 16)))).toEqual([]);
    await expect(band(before)).toBeVisible();
  });

  await test.step('the owner who has a key after all cancels it; another is announced', async () => {
    await before.getByRole('button', { name: 'Cancel it: the recovery to trust root 2' }).click();
    await expect(band(before)).toHaveCount(0);
    await expect(page.getByRole('textbox', { name: 'Recovery code' })).toBeVisible();
    await announce(page, recoveryCode);
  });

  await before.close();
  await page.goto('about:blank');
  const settings = await setClocksForward(fresh, 25);
  await fresh.stop();
  const later = await startProduct('start', place, settings);
  try {
    await test.step('a day later the new key finishes it', async () => {
      await signInAs(page, later.console, firstOwner);
      await page.goto(`${later.console}/settings/trust/recover`);
      await expect(page.getByText('may come into force')).toBeVisible();
      expect(await violationsOf(page)).toEqual([]);
      await shoot(page, 'recover-ready', { fullPage: true });
      await page.getByRole('button', { name: 'Sign as a new owner' }).click();
      await expect(page.getByText('Trust root 2 is in force.')).toBeVisible();
      await expect(band(page)).toHaveCount(0);
      await shoot(page, 'recover-done', { fullPage: true });
      expect(await (await fetch(`${later.plane}/readyz`)).text()).toContain('ready');
    });

    await test.step('the new key signs as the owner’s, and the recovery key is replaced', async () => {
      await page.getByRole('link', { name: 'Replace the recovery key' }).click();
      await expect(page.getByText('It brought trust root 2 into force.')).toBeVisible();
      await shoot(page, 'trust-recovered', { fullPage: true });
      await page.getByRole('button', { name: 'Replace it' }).click();
      await page.getByRole('dialog').getByRole('checkbox').check();
      await page.getByRole('dialog').getByRole('button', { name: 'Go on to sign' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).click();
      await expect(page.getByText('Trust root 3 is in force.')).toBeVisible();
      await page.goto(`${later.console}/settings/trust/recover`);
      await page.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCode);
      await page.getByRole('button', { name: 'Use this key' }).click();
      await expect(page.getByRole('alert').filter({ hasText: 'This recovery key was replaced: trust root 2 was the last to list it.' })).toBeVisible();
    });
    await page.goto('about:blank');
  } finally {
    await later.stop();
  }
});
