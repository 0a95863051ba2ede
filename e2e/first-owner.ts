import type { Page } from '@playwright/test';

import { present } from './demo';
import type { Product } from './product';

export const firstOwner = { name: 'Nora Berg', email: 'nora@harbor.example', password: 'five small boats at dawn' };

/** Goes through set-up as the first owner does; the page ends signed in. Gives the recovery code that was shown. */
export async function setUpOwner(page: Page, product: Product): Promise<{ readonly recoveryCode: string }> {
  const [, link] = present(/(http:\/\/localhost:\d+\/set-up\?token=\S+)/.exec(product.printed()), 'set-up link');
  await page.goto(present(link, 'link'));
  await page.getByLabel('Your name').fill(firstOwner.name);
  await page.getByLabel('E-mail').fill(firstOwner.email);
  await page.getByLabel('Password', { exact: true }).fill(firstOwner.password);
  await page.getByLabel('Password again').fill(firstOwner.password);
  await page.getByRole('button', { name: 'Make my key' }).click();
  const recoveryCode = await page.locator('.recovery-code').innerText();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as a file' }).click();
  await downloading;
  await page.getByRole('checkbox', { name: /I have saved the file/ }).check();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('button', { name: 'Sign and finish' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  return { recoveryCode };
}

/** The owner invites somebody and signs them into the roster; the password is the one that was shown. */
export async function addPerson(page: Page, product: Product, who: { readonly name: string; readonly email: string; readonly roles: readonly string[] }): Promise<{ readonly password: string }> {
  await page.goto(`${product.console}/settings`);
  await page.getByRole('button', { name: 'Invite' }).click();
  const invite = page.getByRole('dialog');
  await invite.getByLabel('Name').fill(who.name);
  await invite.getByLabel('E-mail').fill(who.email);
  await invite.getByRole('button', { name: 'Invite' }).click();
  const password = await invite.locator('.recovery-code').innerText();
  await invite.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: new RegExp(who.name) }).getByRole('button', { name: /^(Roles|Add to roster): / }).click();
  const roles = page.getByRole('dialog');
  for (const box of await roles.getByRole('checkbox').all()) await box.uncheck();
  for (const role of who.roles) await roles.getByRole('checkbox', { name: role }).check();
  await roles.getByRole('button', { name: 'Go on to sign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign the roster' }).click();
  await page.getByRole('row', { name: new RegExp(who.name) }).getByText('In the roster').waitFor();
  return { password };
}
