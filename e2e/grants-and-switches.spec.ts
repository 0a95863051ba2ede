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
