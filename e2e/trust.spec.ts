import { violationsOf } from './axe';
import { callPlane } from './call-plane';
import { addPerson, firstOwner, setUpOwner } from './first-owner';
import { expect, test } from './fixture';
import { signInAs } from './sign-in';
import { shoot } from './shoot';

// Starting a product of its own builds it where that was not done yet.
test.describe.configure({ timeout: 300_000 });

const second = { name: 'Priya Raman', email: 'priya@harbor.example', roles: ['owner', 'approver'] };

test('two owners in two browsers change how many must sign, and from then on one alone changes nothing', async ({ fresh, openBrowser }) => {
  const nora = await openBrowser();
  await setUpOwner(nora, fresh);
  const { password } = await addPerson(nora, fresh, second);

  const priya = await openBrowser();
  await signInAs(priya, fresh.console, { email: second.email, password });
  await priya.goto(`${fresh.console}/settings`);
  await priya.getByRole('button', { name: 'Make a browser key' }).click();
  await expect(priya.getByText(/waits for an owner/).first()).toBeVisible();

  await test.step('the first owner countersigns the key and makes it an owner’s', async () => {
    await nora.goto(`${fresh.console}/settings`);
    await nora.getByRole('button', { name: 'Countersign' }).click();
    await nora.getByRole('dialog').getByRole('button', { name: 'Sign the roster' }).click();
    await expect(nora.getByRole('dialog')).toHaveCount(0);
    await nora.getByRole('link', { name: 'Trust root and owners' }).click();
    await expect(nora.getByRole('heading', { level: 1, name: 'Trust' })).toBeVisible();
    expect(await violationsOf(nora)).toEqual([]);
    await nora.getByRole('button', { name: 'Change owners' }).click();
    await nora.getByRole('dialog').getByRole('checkbox', { name: /Priya Raman/ }).check();
    expect(await violationsOf(nora)).toEqual([]);
    await nora.getByRole('dialog').getByRole('button', { name: 'Go on to sign' }).click();
    const signing = nora.getByRole('dialog');
    await expect(signing.getByText('"version": 2')).toBeVisible();
    expect(await violationsOf(nora)).toEqual([]);
    await shoot(nora, 'trust-sign', { fullPage: true });
    await signing.getByRole('button', { name: 'Sign', exact: true }).click();
    await expect(nora.getByText('Trust root 2 is in force.')).toBeVisible();
    await expect(nora.getByRole('table', { name: 'Owners' })).toContainText('Priya Raman');
  });

  await test.step('one signs the new numbers, and they wait', async () => {
    await nora.getByRole('button', { name: 'Change numbers' }).click();
    const rules = nora.getByRole('dialog');
    await rules.getByLabel('Whatever loosens').fill('2');
    await rules.getByLabel('The next trust root').fill('2');
    await rules.getByRole('button', { name: 'Go on to sign' }).click();
    await nora.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).click();
    await expect(nora.getByText('Your signature is kept.')).toBeVisible();
    const waiting = nora.getByRole('region', { name: 'Waiting for owners' });
    await expect(waiting).toContainText('Root 1 of 1 (Nora Berg)');
    await expect(waiting).toContainText('Roster 1 of 2 (Nora Berg)');
    await expect(nora.getByRole('region', { name: 'How many must sign' })).toContainText('1 of 2: policies');
    await shoot(nora, 'trust-waiting', { fullPage: true });
  });

  await test.step('the other completes it in her own browser; the first hears of it by itself', async () => {
    await priya.goto(`${fresh.console}/settings/trust`);
    await priya.getByRole('button', { name: 'Look and sign' }).click();
    await priya.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).click();
    await expect(priya.getByText('Trust root 3 is in force.')).toBeVisible();
    for (const page of [priya, nora]) {
      await expect(page.getByRole('region', { name: 'How many must sign' })).toContainText('2 of 2: policies');
      await expect(page.getByRole('region', { name: 'Waiting for owners' })).toHaveCount(0);
    }
    await priya.goto(`${fresh.console}/policies`);
    await expect(priya.getByRole('group', { name: 'Trust state' })).toContainText('2 of 2 signed');
    expect(await (await fetch(`${fresh.plane}/readyz`)).text()).toContain('ready');
  });

  await test.step('one alone changes nothing any more', async () => {
    await nora.getByRole('button', { name: 'Change numbers' }).click();
    await nora.getByRole('dialog').getByLabel('The next trust root').fill('1');
    await nora.getByRole('dialog').getByRole('button', { name: 'Go on to sign' }).click();
    await nora.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).click();
    await expect(nora.getByText('Your signature is kept.')).toBeVisible();
    await expect(nora.getByText('Trust root in force').locator('..')).toContainText('version 3');
    await nora.getByRole('button', { name: 'Withdraw trust root 4' }).click();
    await expect(nora.getByRole('region', { name: 'Waiting for owners' })).toHaveCount(0);
  });

  await test.step('a change of the roster waits for the second owner too', async () => {
    await nora.goto(`${fresh.console}/settings`);
    await nora.getByRole('button', { name: /^(Roles|Add to roster): Priya Raman$/ }).click();
    await nora.getByRole('dialog').getByRole('checkbox', { name: 'auditor' }).check();
    await nora.getByRole('dialog').getByRole('button', { name: 'Go on to sign' }).click();
    await nora.getByRole('dialog').getByRole('button', { name: 'Sign the roster' }).click();
    await expect(nora.getByRole('region', { name: 'Changes of the roster that wait' })).toContainText('1 of 2 signed: Nora Berg');
    await shoot(nora, 'roster-waiting', { fullPage: true });
    await priya.goto(`${fresh.console}/settings`);
    await priya.getByRole('button', { name: 'Look and sign' }).click();
    await priya.getByRole('dialog').getByRole('button', { name: 'Sign the roster' }).click();
    await expect(nora.getByRole('row', { name: /Priya Raman/ })).toContainText('auditor');
    await expect(nora.getByRole('region', { name: 'Changes of the roster that wait' })).toHaveCount(0);
  });
});

test('an owner adds an orchestrator, whose token opens a session once it is signed; rotates it, and takes it out again', async ({ fresh, openBrowser }) => {
  const page = await openBrowser();
  await setUpOwner(page, fresh);
  await page.goto(`${fresh.console}/agents`);
  await page.getByRole('button', { name: 'Register an agent' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('helper');
  await page.getByRole('dialog').getByLabel('Role').fill('assistant');
  await page.getByRole('dialog').getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByRole('dialog').getByRole('checkbox').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();

  const sign = async (): Promise<string> => {
    const signing = page.getByRole('dialog');
    await signing.getByRole('button', { name: 'Sign the roster' }).click();
    const shown = page.getByRole('dialog').locator('.recovery-code');
    const token = await shown.innerText();
    await page.getByRole('dialog').getByRole('checkbox').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    return token;
  };
  const opens = async (token: string) => (await callPlane(fresh.plane, token, 'POST', '/v1/sessions', { human: firstOwner.email, request: 'Take notes.', agent: 'helper' })).status;

  await page.getByRole('button', { name: 'Add a credential' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('desk');
  await form.getByLabel('People it speaks for').fill(firstOwner.email);
  expect(await violationsOf(page)).toEqual([]);
  await shoot(page, 'credential-form', { fullPage: true });
  await form.getByRole('button', { name: 'Go on to sign' }).click();
  await expect(page.getByRole('dialog')).toContainText(`people: ${firstOwner.email}`);
  const first = await sign();
  await expect.poll(() => opens(first)).toBe(201);
  await shoot(page, 'credentials', { fullPage: true });

  await page.getByRole('button', { name: 'Rotate desk' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Go on to sign' }).click();
  const next = await sign();
  await expect.poll(() => opens(next)).toBe(201);
  expect(await opens(first)).toBe(201);

  await page.getByRole('row', { name: /desk/ }).first().getByRole('button', { name: /^Take out / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign the roster' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect.poll(async () => [await opens(first), await opens(next)].sort()).toEqual([201, 401]);
});
