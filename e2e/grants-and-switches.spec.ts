import { violationsOf } from './axe';
import { expect, test } from './fixture';
import { shoot } from './shoot';

test('an owner gives a grant with a key, narrows it and revokes it', async ({ demo, signIn }) => {
  const page = await signIn('owner');
  await page.goto(`${demo.console}/agents`);
  await page.getByRole('link', { name: 'Grants' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Grants' })).toBeVisible();
  await expect(page.getByText('No grant was ever given.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await shoot(page, 'grants-empty');

  await test.step('filled in, and signed with the owner’s key file', async () => {
    await page.getByRole('button', { name: 'Give a grant' }).click();
    const form = page.getByRole('dialog', { name: 'Give a grant' });
    await form.getByLabel('Agent').selectOption('harbor-ops');
    await form.getByLabel('May use').selectOption('database.update');
    await form.getByRole('button', { name: 'Add a limit' }).click();
    await form.getByLabel('Argument').selectOption('limit');
    await form.getByLabel('Has to').selectOption('is at most');
    await form.getByLabel('Value').fill('100');
    await form.getByLabel('Uses').fill('5');
    await form.getByLabel('Reason').fill('Berth records have to be corrected this week.');
    expect(await violationsOf(page)).toEqual([]);
    await shoot(page, 'grant-form');
    await form.getByRole('button', { name: 'Go on to sign' }).click();
    const signing = page.getByRole('dialog', { name: 'Sign this grant' });
    await signing.locator('input[type="file"]').setInputFiles(demo.ownerKey);
    await expect(signing).toContainText('limit is at most 100');
    expect(await violationsOf(page)).toEqual([]);
    await shoot(page, 'grant-sign');
    await signing.getByRole('button', { name: /Sign and issue/ }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByText('5 of 5 uses left')).toBeVisible();
  });

  await test.step('narrowed: the wider one ends', async () => {
    await page.getByRole('button', { name: 'Narrow' }).click();
    const form = page.getByRole('dialog', { name: 'Narrow this grant' });
    await form.getByLabel('Uses').fill('2');
    await form.getByRole('button', { name: 'Go on to sign' }).click();
    const signing = page.getByRole('dialog', { name: 'Sign this grant' });
    await signing.locator('input[type="file"]').setInputFiles(demo.ownerKey);
    await signing.getByRole('button', { name: /Sign and issue/ }).click();
    await expect(page.getByText('2 of 2 uses left')).toBeVisible();
    await expect(page.getByText('Revoked or replaced')).toBeVisible();
    await shoot(page, 'grants');
  });

  await test.step('an admin revokes it, and signs nothing', async () => {
    const admin = await signIn('admin');
    await admin.goto(`${demo.console}/grants`);
    await expect(admin.getByRole('button', { name: 'Give a grant' })).toHaveCount(0);
    await admin.getByRole('button', { name: 'Revoke' }).click();
    await admin.getByRole('dialog').getByLabel('Reason').fill('The records are right.');
    await shoot(admin, 'grant-revoke');
    await admin.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(admin.getByText('Revoked or replaced')).toHaveCount(2);
    expect(await violationsOf(admin)).toEqual([]);
  });
  await expect(page.getByText('Revoked or replaced')).toHaveCount(2);
});

test('a kill switch stands over every page with who, when and why, and an owner’s signature releases it', async ({ demo, signIn }) => {
  const session = await demo.openSession({ request: 'Look up the products.', agent: 'harbor-ops' });
  const query = { tool: 'database', operation: 'query', parameters: { query: 'SELECT name FROM products' } };
  const admin = await signIn('admin');
  const owner = await signIn('owner');
  await admin.goto(`${demo.console}/agents`);
  await admin.getByRole('region', { name: 'harbor-ops' }).getByRole('button', { name: 'Stop this agent' }).click();
  await admin.getByRole('dialog').getByLabel('Reason').fill('It asks for strange things.');
  await shoot(admin, 'switch-throw');
  await admin.getByRole('dialog').getByRole('button', { name: /Stop harbor-ops/ }).click();
  await expect(admin.getByRole('dialog')).toHaveCount(0);
  expect(await demo.propose('harbor-ops', session, query)).toMatchObject({ decision: 'DENY', code: 'kill_switch' });
  await expect(admin.getByRole('button', { name: /Release/ })).toHaveCount(0);

  for (const place of ['/', '/approvals', '/receipts', '/policies', '/agents', '/settings']) {
    await owner.goto(demo.console + place);
    const band = owner.getByRole('note').filter({ hasText: 'The agent harbor-ops is stopped' });
    await expect(band).toContainText('threw the kill switch');
    await expect(band).toContainText('It asks for strange things.');
    await expect(band).toContainText('can release it, with a signature');
  }
  await owner.goto(`${demo.console}/agents`);
  await expect(owner.getByRole('note').filter({ hasText: 'stopped' })).toBeVisible();
  expect(await violationsOf(owner)).toEqual([]);
  await shoot(owner, 'switch-thrown');
  await owner.getByRole('button', { name: 'Release the agent harbor-ops' }).click();
  const dialog = owner.getByRole('dialog', { name: /Release/ });
  await dialog.getByLabel('Reason').fill('It was a test.');
  await dialog.locator('input[type="file"]').setInputFiles(demo.ownerKey);
  expect(await violationsOf(owner)).toEqual([]);
  await shoot(owner, 'switch-release');
  await dialog.getByRole('button', { name: /Sign and release/ }).click();
  await expect(owner.getByRole('dialog')).toHaveCount(0);
  await expect(owner.getByRole('note').filter({ hasText: 'stopped' })).toHaveCount(0);
  expect((await demo.propose('harbor-ops', session, query)).code).not.toBe('kill_switch');
  await expect(admin.getByRole('note').filter({ hasText: 'stopped' })).toHaveCount(0);
});

test('an agent that an admin suspended is restored by an owner’s signature, and works again with a new credential', async ({ demo, signIn }) => {
  const admin = await signIn('admin');
  const owner = await signIn('owner');
  await admin.goto(`${demo.console}/agents`);
  await admin.getByRole('button', { name: 'Register an agent' }).click();
  await admin.getByRole('dialog').getByLabel('Name').fill('night-porter');
  await admin.getByRole('dialog').getByLabel('Role').fill('assistant');
  await admin.getByRole('dialog').getByRole('button', { name: 'Register', exact: true }).click();
  await admin.getByRole('dialog').getByRole('checkbox').check();
  await admin.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await admin.getByRole('button', { name: 'Suspend night-porter' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click();
  const entry = admin.getByRole('region', { name: 'night-porter' });
  await expect(entry).toContainText('An owner can restore it, with a signature.');
  expect(await violationsOf(admin)).toEqual([]);
  await shoot(admin, 'agent-suspended');

  await owner.goto(`${demo.console}/agents`);
  await owner.getByRole('button', { name: 'Restore night-porter' }).click();
  const signing = owner.getByRole('dialog', { name: 'Restore night-porter?' });
  await signing.getByLabel('Reason').fill('It was a false alarm.');
  await signing.locator('input[type="file"]').setInputFiles(demo.ownerKey);
  await expect(signing.getByRole('button', { name: /Sign and restore/ })).not.toHaveAttribute('aria-disabled');
  expect(await violationsOf(owner)).toEqual([]);
  await shoot(owner, 'agent-restore');
  await signing.getByRole('button', { name: /Sign and restore/ }).click();
  await expect(owner.getByRole('dialog')).toHaveCount(0);

  await entry.getByRole('button', { name: 'Give a credential to night-porter' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Make it' }).click();
  const token = await admin.getByRole('dialog').locator('.recovery-code').innerText();
  await admin.getByRole('dialog').getByRole('checkbox').check();
  await admin.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await expect(entry).not.toContainText('Suspended');
  await expect.poll(async () => (await demo.call(token, 'GET', '/v1/actions/act_0123456789abcdefghij12')).status).toBe(404);
});

test('an approver proposes a grant with their own key; it is a card with its proof, and gives nothing by itself', async ({ demo, signIn }) => {
  const page = await signIn('approver');
  await page.goto(`${demo.console}/grants`);
  await page.getByRole('button', { name: 'Propose a grant' }).click();
  const form = page.getByRole('dialog', { name: 'Propose a grant' });
  await form.getByLabel('Agent').selectOption('harbor-ops');
  await form.getByLabel('May use').selectOption('database.update');
  await form.getByLabel('Uses').fill('3');
  await form.getByRole('button', { name: 'Go on to sign' }).click();
  const signing = page.getByRole('dialog', { name: 'Propose this grant' });
  await signing.getByRole('button', { name: 'Make a browser key' }).click();
  await signing.getByLabel('Why').fill('The berth records are wrong.');
  await expect(signing).toContainText('3 times');
  await expect(signing.getByRole('button', { name: /Sign and propose/ })).not.toHaveAttribute('aria-disabled');
  expect(await violationsOf(page)).toEqual([]);
  await shoot(page, 'grant-propose');
  await signing.getByRole('button', { name: /Sign and propose/ }).click();
  await expect(page.getByText('It gives nothing until enough owners have signed it.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await shoot(page, 'grant-proposed');
  await page.getByRole('link', { name: 'Look at the proposal' }).click();
  const article = page.getByRole('article', { name: 'database.update' });
  await expect(article).toContainText('The berth records are wrong.');
  await expect(article).toContainText('3 times');
  await shoot(page, 'grant-proposal-card');
  await article.getByRole('button', { name: 'Withdraw' }).click();
  await expect(article.getByRole('button', { name: 'Withdraw' })).toHaveCount(0);
});
