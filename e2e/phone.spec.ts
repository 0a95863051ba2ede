import { devices } from '@playwright/test';

import { approveButton, enrolKey, tickEveryCheck } from './approvals-page';
import { present, type RoleName } from './demo';
import { expect, test } from './fixture';
import { deletion } from './held-work';
import { runAgent } from './run-agent';

const phone = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } };

test('on a phone a request is found, read and signed', async ({ signIn, demo }) => {
  const agent = runAgent(demo, 'harbor-assistant', await demo.openSession(deletion.session), deletion.proposal);
  const { id } = present((await agent.when('proposed')).action?.approval, 'approval');
  const page = await signIn('approver', phone);
  await page.goto(`${demo.console}/approvals`);
  const row = page.locator(`a[href*="${id}"]`);
  await expect(row).toBeVisible();
  await expect(page.getByRole('article')).toBeHidden();
  await row.tap();
  await expect(page.getByRole('article', { name: 'database.delete on load_test' })).toBeVisible();
  await expect(row).toBeHidden();
  await enrolKey(page);
  await tickEveryCheck(page);
  await approveButton(page).tap();
  const dialog = page.getByRole('dialog', { name: 'Sign this approval' });
  await dialog.getByRole('textbox').fill('Their own records.');
  await dialog.getByRole('button', { name: /Sign with this browser/ }).tap();
  await agent.when('executed');
});

test('on a phone each request says in its place how long it still waits', async ({ signIn, demo }) => {
  const agent = runAgent(demo, 'harbor-assistant', await demo.openSession(deletion.session), deletion.proposal);
  await agent.when('proposed');
  const page = await signIn('requester', phone);
  await page.goto(`${demo.console}/requests`);
  const item = page.getByRole('article').filter({ hasText: 'load_test' }).first();
  await expect(item.getByRole('timer')).toHaveAccessibleName(/until it is denied/);
  // Who can decide it is read meanwhile and moves what stands below: both are measured in one moment.
  await expect.poll(() => item.evaluate((outer) => {
    const [around, timer] = [outer, outer.querySelector('[role="timer"]')].map((one) => one?.getBoundingClientRect());
    return around !== undefined && timer !== undefined && timer.top > around.top && timer.bottom < around.bottom;
  })).toBe(true);
});

const places: readonly (readonly [RoleName, readonly string[]])[] = [
  ['owner', ['/', '/policies', '/policies?tab=revisions', '/policies?revision=1', '/receipts', '/agents', '/settings', '/requests']],
  ['approver', ['/approvals', '/approvals?tab=decided', '/deferrals']],
];
for (const [role, paths] of places) {
  test(`${role}: no page is wider than a phone`, async ({ signIn, demo }) => {
    const page = await signIn(role, phone);
    for (const path of paths) {
      await page.goto(demo.console + path);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390);
    }
  });
}
