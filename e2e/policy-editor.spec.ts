import { violationsOf } from './axe';
import { expect, test } from './fixture';

test('a rule is written, completed, corrected, tried and proposed in the editor, and nothing changes by it', async ({ signIn, demo }) => {
  const page = await signIn('owner');
  const inForce = async () => ((await (await page.request.get(`${demo.console}/api/policies`)).json()) as { readonly in_force: { readonly revision: number; readonly digest: string } }).in_force;
  const before = await inForce();
  await page.goto(`${demo.console}/policies/edit`);
  const text = page.getByRole('textbox', { name: /^Policy text/ });
  const problems = page.getByRole('tabpanel', { name: 'Problems' });
  await expect(page.getByText(/^Loads with \d+ rules$/)).toBeVisible();

  // What may stand here is offered, from the catalogue that the policy names.
  await text.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\n');
  await page.keyboard.press('Home');
  await page.keyboard.type('  - id: paper-only\nmatch: { tool: email, operation: se');
  await page.getByRole('option', { name: /^send/ }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.insertText('    action: DENI\n    reason: Letters go out on paper.');

  // Each problem has its place; pressing it goes there, and the line of the caret says it again.
  const problem = problems.getByRole('button', { name: /Go to \d+:\d+.*Wanted one of ALLOW/ });
  await expect(problem).toBeVisible();
  await problem.click();
  await expect(page.getByRole('status', { name: 'At the caret' })).toContainText('Did you mean DENY?');
  await expect(text).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.insertText('Y');
  await expect(page.getByText(/^Loads with \d+ rules/)).toBeVisible();
  await expect(page.getByText(/Draft saved/)).toBeVisible();

  // Escape, then Tab, leaves the editor: nobody who uses a keyboard is caught in it.
  await text.focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(text).not.toBeFocused();
  expect(await violationsOf(page)).toEqual([]);

  // One call, by the draft and by what is in force.
  await page.getByRole('tab', { name: 'Simulate a call' }).click();
  await page.getByRole('button', { name: 'Decide' }).click();
  await expect(page.getByRole('region', { name: 'Your draft' })).toContainText('Letters go out on paper.');
  await expect(page.getByRole('region', { name: `In force, r${String(before.revision)}` })).toContainText('Allow');
  expect(await violationsOf(page)).toEqual([]);

  // The cases beside it.
  await page.getByRole('tab', { name: /^Tests/ }).click();
  await page.getByRole('button', { name: 'Begin with a case' }).click();
  await page.getByRole('button', { name: 'Run the tests' }).click();
  await expect(page.getByText('0 of 1 as expected.')).toBeVisible();
  await expect(page.getByRole('button', { name: /Comes out differently/ })).toContainText('wanted "STEP_UP", got "DENY"');
  expect(await violationsOf(page)).toEqual([]);

  // What differs from what is in force.
  await page.getByRole('button', { name: `Changes from r${String(before.revision)}` }).click();
  await expect(page.getByText(/\d+ unchanged lines/)).toBeVisible();

  // The draft is there when the page is opened again.
  await page.reload();
  await expect(page.getByText(/Draft saved/)).toBeVisible();
  await expect(page.getByRole('tab', { name: /^Tests/ })).toContainText('1');

  await page.getByRole('button', { name: 'Propose' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(demo.ownerKey);
  await dialog.getByLabel('Why').fill('Nobody reads e-mail.');
  await dialog.getByRole('button', { name: 'Sign and propose' }).click();
  await page.getByRole('link', { name: 'Look at the proposal' }).click();
  await expect(page.getByText('Nobody reads e-mail.')).toBeVisible();
  expect(await inForce()).toEqual(before);
});

test('a draft that another window saved is not saved over unseen', async ({ signIn, demo }) => {
  const first = await signIn('admin');
  await first.goto(`${demo.console}/policies/edit`);
  const write = async (page: typeof first, word: string) => {
    await page.getByRole('textbox', { name: /^Policy text/ }).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText(`# ${word}\n`);
  };
  const second = await first.context().newPage();
  await second.goto(`${demo.console}/policies/edit`);
  await expect(second.getByText(/^Loads with/)).toBeVisible();
  await write(first, 'first');
  await expect(first.getByText(/Draft saved/)).toBeVisible();
  await write(second, 'second');
  await expect(second.getByRole('alert').filter({ hasText: 'draft' })).toContainText('saved or thrown away in another window');
  await second.getByRole('button', { name: 'Take that one' }).click();
  await expect(second.getByRole('textbox', { name: /^Policy text/ })).toContainText('# first');
  await expect(second.getByRole('textbox', { name: /^Policy text/ })).not.toContainText('# second');

  await second.getByRole('button', { name: 'Discard' }).click();
  await second.getByRole('button', { name: 'Throw away' }).click();
  await expect(second.getByRole('textbox', { name: /^Policy text/ })).not.toContainText('# first');
  await expect(second.getByText('The text in force. What you change is kept as your draft.')).toBeVisible();
});

test('the editor’s code is fetched by nobody who only looks at policies', async ({ signIn, demo }) => {
  const page = await signIn('owner');
  const loaded: string[] = [];
  page.on('response', async (response) => {
    if (response.url().endsWith('.js')) loaded.push(await response.text().catch(() => ''));
  });
  for (const path of ['/', '/policies', '/policies?tab=revisions', '/approvals', '/receipts']) {
    await page.goto(`${demo.console}${path}`);
    await page.waitForLoadState('networkidle');
  }
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.filter((code) => code.includes('cm-content'))).toEqual([]);
  await page.goto(`${demo.console}/policies/edit`);
  await page.getByRole('textbox', { name: /^Policy text/ }).waitFor();
  expect(loaded.filter((code) => code.includes('cm-content')).length).toBeGreaterThan(0);
});
