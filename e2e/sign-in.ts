import type { Page } from '@playwright/test';

/** Signs in at the page that people use, and waits until the console is there. */
export async function signInAs(page: Page, console: string, { email, password }: { readonly email: string; readonly password: string }): Promise<void> {
  await page.goto(`${console}/sign-in`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}
