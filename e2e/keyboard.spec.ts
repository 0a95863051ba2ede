import type { Page } from '@playwright/test';

import { approveButton, untilAlive } from './approvals-page';
import { present } from './demo';
import { expect, test } from './fixture';
import { change, deletion } from './held-work';
import { runAgent } from './run-agent';

/** J until that request is open. */
async function moveTo(page: Page, name: string, approval: string): Promise<void> {
  const article = page.getByRole('article', { name });
  const open = page.locator(`a[aria-current="true"][href*="${approval}"]`);
  for (let step = 0; (await open.count()) === 0; step++) {
    if (step > 60) throw new Error(`J does not lead to ${approval}.`);
    const before = await page.locator('a.row[aria-current="true"]').getAttribute('href');
    await page.keyboard.press('j');
    await expect(page.locator('a.row[aria-current="true"]')).not.toHaveAttribute('href', before ?? '');
  }
  await expect(article).toBeVisible();
}

test('a day’s work without a mouse: sign in, move, enrol, check, sign, deny', async ({ openBrowser, demo }) => {
  const toSign = runAgent(demo, 'harbor-assistant', await demo.openSession(deletion.session), deletion.proposal);
  const toDeny = runAgent(demo, 'harbor-assistant', await demo.openSession(change.session), change.proposal);
  const signing = present((await toSign.when('proposed')).action?.approval, 'approval').id;
  const denying = present((await toDeny.when('proposed')).action?.approval, 'approval').id;

  const page = await openBrowser();
  const { email, password } = demo.person('approver');
  await page.goto(`${demo.console}/sign-in?next=/approvals`);
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Approvals' })).toBeVisible();
  await untilAlive(page);

  await moveTo(page, 'database.delete on load_test', signing);
  await page.getByRole('button', { name: 'Make a browser key' }).press('Enter');
  await expect(approveButton(page)).toHaveText(/check(s)? left/);

  await test.step('A opens nothing while a check is open; typing in a field is no shortcut', async () => {
    await page.keyboard.press('a');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('/');
    await page.keyboard.type('d');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Tab');
    await expect(page.locator('a.row[aria-current="true"]')).toBeVisible();
  });
  await moveTo(page, 'database.delete on load_test', signing);
  for (const check of await page.getByRole('article').getByRole('checkbox').all()) await check.press('Space');
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Sign this approval' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('a');
  await dialog.getByRole('textbox').focus();
  await page.keyboard.type('Their own records.');
  await page.keyboard.press('Control+Enter');
  await toSign.when('executed');
  await expect(dialog).toHaveCount(0);

  await moveTo(page, 'database.update on orders', denying);
  await page.keyboard.press('d');
  const denial = page.getByRole('dialog', { name: 'Deny this action' });
  await denial.getByRole('radio').first().focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+Enter');
  expect((await toDeny.when('stopped')).action).toMatchObject({ code: 'approval_denied' });
  await expect(denial).toHaveCount(0);
});
