import { readFile } from 'node:fs/promises';

import { violationsOf } from './axe';
import { present } from './demo';
import { expect, test } from './fixture';
import { signInAs } from './sign-in';

const owner = { name: 'Nora Berg', email: 'nora@harbor.example', password: 'five small boats at dawn' };
const unsigned = 'No signed policy: every action is denied.';

test('the printed link makes the first owner, once, and nothing is allowed before', async ({ fresh, openBrowser }) => {
  test.setTimeout(150_000);
  const [, link] = present(/(http:\/\/localhost:\d+\/set-up\?token=\S+)/.exec(fresh.printed()), 'set-up link');
  const page = await openBrowser();

  await test.step('until then every screen and the plane say that no policy is signed', async () => {
    for (const path of ['/', '/approvals', '/sign-in', '/set-up', '/set-up?token=setup_guessed']) {
      await page.goto(fresh.console + path);
      await expect(page.getByRole('note').filter({ hasText: unsigned }), path).toBeVisible();
    }
    await expect(page.getByRole('heading', { name: 'This link does not open set-up' })).toBeVisible();
    expect(await (await fetch(`${fresh.plane}/readyz`)).text()).toContain('policy_unsigned');
  });

  await test.step('who the owner is', async () => {
    await page.goto(present(link, 'link'));
    await expect(page.getByRole('note').filter({ hasText: unsigned })).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Your name').fill(owner.name);
    await page.getByLabel('E-mail').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByLabel('Password again').fill(owner.password);
    await page.getByRole('button', { name: 'Make my key' }).click();
  });

  await test.step('the recovery key is taken away before it goes on', async () => {
    const save = page.getByRole('button', { name: 'Save as a file' });
    await expect(save).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save it first' })).toHaveAttribute('aria-disabled', 'true');
    const downloading = page.waitForEvent('download');
    await save.click();
    const file = await (await downloading).path();
    expect(await readFile(file, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    await page.getByRole('checkbox', { name: /I have saved the file/ }).check();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Go on' }).click();
  });

  await test.step('four documents, signed in this browser', async () => {
    await expect(page.getByRole('heading', { name: 'Four documents, one key' })).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign and finish' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await expect(page.getByText(unsigned)).toHaveCount(0);
  });

  await test.step('the policy is in force, with its signer', async () => {
    await page.goto(`${fresh.console}/policies?tab=revisions`);
    const article = page.getByRole('article', { name: 'Policy r1' });
    await expect(article.getByText('In force')).toBeVisible();
    await expect(article.getByRole('region', { name: 'Signatures', exact: true })).toContainText(owner.name);
    await expect(article.getByRole('region', { name: 'Exact text' })).toContainText('id: starter');
  });

  await test.step('the link has no power any more; the password works', async () => {
    const other = await openBrowser();
    await other.goto(present(link, 'link'));
    await expect(other.getByRole('heading', { name: 'Set-up is done' })).toBeVisible();
    await signInAs(other, fresh.console, owner);
    await expect(other.getByRole('button', { name: /signed in as Nora Berg/ })).toBeVisible();
  });
});
