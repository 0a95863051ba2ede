import { expect, type Locator, type Page } from '@playwright/test';

/** Opens a request. */
export async function openHeld(page: Page, console: string, approval: string): Promise<void> {
  await page.goto(`${console}/approvals?item=${approval}`);
  await untilAlive(page);
}

/** A page that the server drew hears no key and no click before its scripts have taken over; the countdown of what waits runs from then on. */
export async function untilAlive(page: Page): Promise<void> {
  const article = page.getByRole('article');
  await expect(article).toBeVisible();
  const timer = article.getByRole('timer');
  if ((await timer.count()) > 0) await expect(timer).toHaveAccessibleName(/until it is denied/);
}

const enrolment = 'Make a browser key';

/** Makes a key in this browser and has it enrolled; the demo countersigns by itself. Stays on the open request. */
export async function enrolKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: enrolment }).click();
  await expect(approveButton(page)).not.toHaveText(/No key here/);
}

/** Makes a key in this browser where the dialog says that there is none; the demo countersigns by itself. */
export async function withKey(dialog: Locator): Promise<void> {
  const make = dialog.getByRole('button', { name: enrolment });
  const bytes = dialog.getByText('Read the exact bytes');
  await expect(make.or(bytes)).toBeVisible();
  if (await make.isVisible()) await make.click();
  await expect(bytes).toBeVisible();
}

export const approveButton = (page: Page) => page.getByRole('article').getByRole('button', { name: /Approve and sign|check(s)? left|No key here/ });

export async function tickEveryCheck(page: Page): Promise<void> {
  for (const check of await page.getByRole('article').getByRole('checkbox').all()) await check.check();
}

/** Opens the dialog, says why, and signs with Ctrl+Enter. Gives the moment of the key press, milliseconds since 1970. */
export async function signApproval(page: Page, reason?: string): Promise<number> {
  await expect(approveButton(page)).toHaveText(/Approve and sign/);
  await approveButton(page).click();
  const dialog = page.getByRole('dialog', { name: 'Sign this approval' });
  const words = dialog.getByRole('textbox');
  if (reason !== undefined) await words.fill(reason);
  await words.focus();
  const pressed = Date.now();
  await page.keyboard.press('Control+Enter');
  return pressed;
}
