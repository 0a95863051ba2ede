import type { Page } from '@playwright/test';

import { openHeld } from './approvals-page';
import { present, type Demo } from './demo';
import { expect, test } from './fixture';
import { change } from './held-work';
import { secondConsole, type SecondConsole } from './second-console';
import { signInAs } from './sign-in';

const hold = async (demo: Demo) => present((await demo.propose('harbor-assistant', await demo.openSession(change.session), change.proposal)).approval, 'approval').id;
const rows = (page: Page) => page.locator('[data-row]');
const arrived = (page: Page) => page.getByRole('button', { name: /^\d+ new/ });
/** Which rows there are, and where each begins. */
const places = async (page: Page) => await rows(page).evaluateAll((all) => all.map((row) => [row.getAttribute('data-row'), Math.round(row.getBoundingClientRect().top)]));
const denyDialog = (page: Page) => page.getByRole('dialog', { name: 'Deny this action' });

let second: SecondConsole;
test.beforeAll(async ({ demo }) => {
  second = await secondConsole(demo);
  await second.start();
});
test.afterAll(async () => await second.stop());

for (const [where, viewport] of [['on a desk', { width: 1440, height: 900 }], ['on a phone', { width: 390, height: 844 }]] as const) {
  test(`what arrives announces itself and moves nothing, ${where}`, async ({ signIn, demo }) => {
    const first = await hold(demo);
    const page = await signIn('approver', { viewport });
    await page.goto(`${demo.console}/approvals`);
    await expect(page.locator(`[data-row="${first}"]`)).toBeVisible();
    // The countdowns run, so the page's own scripts have taken over and the stream is being opened.
    await expect(rows(page).first().getByRole('timer').or(rows(page).first().locator('time')).first()).toBeVisible();
    const before = await places(page);
    const next = await hold(demo);
    await expect(arrived(page)).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: /^\d+ new$/ })).toBeAttached();
    expect(await places(page)).toEqual(before);
    await arrived(page).click();
    // The demo's own agents may bring more at any moment, so the button need not stay away.
    await expect(page.locator(`[data-row="${next}"]`)).toBeVisible();
  });
}

test('two people in two browsers on two consoles decide the same requests: each ends once, and the slower one is told by whom', async ({ signIn, openBrowser, demo }) => {
  test.setTimeout(180_000);
  const one = await signIn('approver');
  const other = await openBrowser();
  await signInAs(other, second.console, demo.person('second approver'));
  const people = [{ page: one, console: demo.console, name: 'Priya Raman' }, { page: other, console: second.console, name: 'Tomas Weber' }];

  for (let round = 0; round < 2; round++) {
    const approval = await hold(demo);
    for (const { page, console } of people) {
      await openHeld(page, console, approval);
      await page.getByRole('button', { name: 'Deny' }).click();
      await denyDialog(page).getByRole('radio', { name: 'This is not wanted.' }).check();
    }
    // One whose event is here before the click has no button to press any more: that is the same race, lost.
    await Promise.all(people.map(async ({ page }) => await denyDialog(page).getByRole('button', { name: /^Deny/ }).click({ timeout: 15_000 }).catch(() => undefined)));
    const won = ({ page }: (typeof people)[number]) => page.getByRole('status').filter({ hasText: 'Denied.' });
    await expect.poll(async () => (await Promise.all(people.map(async (person) => await won(person).count()))).reduce((sum, count) => sum + count, 0)).toBe(1);
    const winner = present((await won(present(people[0], 'person')).count()) === 1 ? people[0] : people[1], 'winner');
    const loser = present(people.find((person) => person !== winner), 'loser');
    await expect(loser.page.getByRole('alert').filter({ hasText: 'Somebody was faster.' })).toContainText('Your decision was not recorded');
    await loser.page.getByRole('button', { name: 'Understood' }).click();
    await expect(loser.page.getByRole('article').getByRole('note').filter({ hasText: 'Denied.' })).toContainText(`By ${winner.name}`);
  }
});

test('after its console was gone, a page misses nothing of what happened meanwhile', async ({ openBrowser, demo, mayComplain }) => {
  test.setTimeout(180_000);
  mayComplain(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|Failed to fetch/);
  const decided = await hold(demo);
  const page = await openBrowser();
  await signInAs(page, second.console, demo.person('second approver'));
  await openHeld(page, second.console, decided);

  await second.stop();
  await expect(page.getByText(/^Not live for/)).toBeVisible({ timeout: 30_000 });
  const approver = await openBrowser();
  await signInAs(approver, demo.console, demo.person('approver'));
  await openHeld(approver, demo.console, decided);
  await approver.getByRole('button', { name: 'Deny' }).click();
  await denyDialog(approver).getByRole('radio', { name: 'This is not wanted.' }).check();
  await denyDialog(approver).getByRole('button', { name: /^Deny/ }).click();
  await expect(approver.getByRole('status').filter({ hasText: 'Denied.' })).toBeVisible();
  const next = await hold(demo);

  await second.start();
  await expect(page.getByText(/^Not live for/)).toHaveCount(0, { timeout: 30_000 });
  await expect(page.getByRole('article').getByRole('note').filter({ hasText: 'Denied.' })).toContainText('By Priya Raman');
  await arrived(page).click();
  await expect(page.locator(`[data-row="${next}"]`)).toBeVisible();
});
