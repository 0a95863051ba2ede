import { withKey } from './approvals-page';
import { violationsOf } from './axe';
import { present } from './demo';
import { expect, test } from './fixture';

test('an owner lowers a label by a signature with a reason, and what it stood against goes on', async ({ signIn, demo }) => {
  const session = await demo.openSession({ request: 'Look at our customers, then write to ann@partner.example.' });
  const gate = demo.token('enforcement_point');
  const read = await demo.propose('harbor-assistant', session, { tool: 'database', operation: 'query', parameters: { query: 'SELECT city FROM customers' } });
  expect((await demo.call(gate, 'POST', `/v1/permits/${present(read.permit?.id, 'permit')}/redeem`)).status).toBe(200);
  expect((await demo.call(gate, 'POST', `/v1/actions/${read.id}/outcome`, { status: 'succeeded', output: 'Ostrava' })).status).toBe(200);
  const mail = { tool: 'email', operation: 'send', parameters: { to: 'ann@partner.example', subject: 'Hello', body: 'As asked.' } };
  expect(await demo.propose('harbor-assistant', session, mail)).toMatchObject({ decision: 'DENY', code: 'denied_by_context' });

  const page = await signIn('owner');
  await page.goto(`${demo.console}/sessions/${session}`);
  const labels = page.getByRole('table', { name: /Labels of this session/ });
  await expect(labels.getByRole('row', { name: /PII/ })).toContainText('database.query');
  expect(await violationsOf(page)).toEqual([]);
  const lower = async (label: string, to?: string) => {
    await labels.getByRole('button', { name: `Lower ${label}` }).click();
    const dialog = page.getByRole('dialog', { name: `Lower ${label}` });
    await withKey(dialog);
    if (to !== undefined) await dialog.getByLabel('To').selectOption(to);
    const sign = dialog.getByRole('button', { name: /Reason needed|Sign and lower/ });
    await expect(sign).toHaveText(/Reason needed/);
    await dialog.getByLabel('Reason').fill('The table holds made-up people.');
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await expect(dialog).toBeHidden();
  };
  await lower('PII');
  await expect(labels.getByRole('row', { name: /PII/ })).toHaveCount(0);
  expect(await demo.propose('harbor-assistant', session, mail)).toMatchObject({ decision: 'DENY' });
  await lower('CONFIDENTIAL', 'INTERNAL');
  await expect(labels.getByRole('row', { name: /INTERNAL/ })).toContainText('Lowered by Olga Lindqvist');
  expect((await demo.propose('harbor-assistant', session, mail)).decision).not.toBe('DENY');
});

test('a data owner supplies a fact under their key, and the action goes on', async ({ signIn, demo }) => {
  const session = await demo.openSession({ request: 'Download https://docs.example/crane.pdf for me.' });
  const waiting = await demo.propose('harbor-assistant', session, { tool: 'browser', operation: 'download', parameters: { url: 'https://docs.example/crane.pdf', path: '/workspace/crane.pdf' } });
  expect(waiting).toMatchObject({ decision: 'DEFER', state: 'deferred' });

  const page = await signIn('approver');
  await page.goto(`${demo.console}/deferrals?text=licence`);
  const facts = page.getByRole('table', { name: /Missing facts/ });
  await expect(facts.getByRole('row', { name: /licence/ })).toContainText('You, data-owner');
  await expect(page.getByRole('article').getByRole('timer')).toHaveAccessibleName(/until it is denied/);
  await page.keyboard.press('s');
  const dialog = page.getByRole('dialog', { name: 'Supply this fact' });
  await withKey(dialog);
  await expect(dialog.getByRole('button', { name: /Value needed/ })).toBeVisible();
  await dialog.getByLabel(/licence of/).fill('CC-BY-4.0');
  await expect(dialog.getByRole('definition').filter({ hasText: 'CC-BY-4.0' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await demo.readAction('harbor-assistant', waiting.id)).state).toBe('permitted');
  await expect(page.getByRole('link', { name: /browser\.download/ })).toHaveCount(0);
});

test('whom an agent works for answers what only they know, and cannot answer for others', async ({ signIn, demo }) => {
  const session = await demo.openSession({ request: 'Cancel the entry standup, it was moved.' });
  const waiting = await demo.propose('harbor-assistant', session, { tool: 'calendar', operation: 'delete', parameters: { id: 'standup' } });
  expect(waiting).toMatchObject({ decision: 'DEFER', state: 'deferred' });

  const approver = await signIn('approver');
  await approver.goto(`${demo.console}/deferrals`);
  await expect(approver.getByRole('link', { name: /calendar\.delete/ })).toHaveCount(0);

  const page = await signIn('requester', { viewport: { width: 390, height: 844 } });
  await page.goto(`${demo.console}/requests`);
  await page.getByRole('button', { name: 'Answer purpose of calendar:standup', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Supply this fact' });
  await withKey(dialog);
  await dialog.getByLabel(/purpose of/).fill('It is on Friday now.');
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: /Sign and supply/ }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await demo.readAction('harbor-assistant', waiting.id)).state).toBe('permitted');
});
