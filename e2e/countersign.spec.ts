import { readFile } from 'node:fs/promises';

import { approveButton, enrolKey, openHeld, signApproval, tickEveryCheck } from './approvals-page';
import { present } from './demo';
import { expect, test } from './fixture';
import { change, deletion } from './held-work';
import { runAgent } from './run-agent';

test('who opens the demo sees held actions', async ({ signIn, demo }) => {
  const page = await signIn('approver');
  await page.goto(`${demo.console}/approvals`);
  await expect(page.getByRole('link', { name: /^Step up / }).first()).toBeVisible({ timeout: 60_000 });
});

test('an agent waits, a person reads, checks and signs, and the agent runs what was countersigned', async ({ signIn, demo }) => {
  const page = await signIn('approver');
  const agent = runAgent(demo, 'harbor-assistant', await demo.openSession(deletion.session), deletion.proposal);
  const held = present((await agent.when('proposed')).action, 'action');
  expect(held).toMatchObject({ decision: 'STEP_UP', state: 'held', transformed: { parameters: { limit: 100 } } });
  const approval = present(held.approval, 'approval');

  await test.step('the page shows what is asked, what would run, and where its values came from', async () => {
    await page.goto(approval.url);
    const article = page.getByRole('article', { name: 'database.delete on load_test' });
    await expect(article.getByRole('figure', { name: 'Written by the agent' }).or(article.getByRole('figure').first())).toContainText('5000');
    await expect(article.getByRole('figure').nth(1)).toContainText('100');
    await expect(article.getByRole('deletion')).toHaveText('5000');
    await expect(article.getByRole('insertion')).toHaveText('100');
    const request = article.getByRole('region', { name: 'Request and intent' });
    await expect(request).toContainText('the records I made for the load test yesterday');
    await expect(request).toContainText('They are the user’s own and the user asked for it.');
    const sources = article.getByRole('table', { name: /where each was first seen/ });
    await expect(sources.getByRole('row', { name: /^table / })).toContainText('The request');
    await expect(sources.getByRole('row', { name: /^limit / })).toContainText('Policy');
    await expect(article.getByRole('region', { name: 'Why it was held' })).toContainText('deletion-by-the-owner');
    await expect(article.getByRole('timer')).toHaveAccessibleName(/until it is denied/);
  });

  await test.step('without a key in this browser nothing can be approved', async () => {
    await expect(approveButton(page)).toHaveText(/No key here/);
    await expect(approveButton(page)).toHaveAttribute('aria-disabled', 'true');
    await enrolKey(page);
  });

  await test.step('the button stays shut until each check is ticked', async () => {
    await expect(approveButton(page)).toHaveText(/check(s)? left/);
    await approveButton(page).click({ force: true });
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await tickEveryCheck(page);
    await expect(approveButton(page)).toHaveText(/Approve and sign/);
  });

  const pressed = await signApproval(page, 'Their own records, and policy keeps it small.');
  const permitted = await agent.when('permitted');
  expect(permitted.at - pressed, 'milliseconds from the key press to the permit').toBeLessThan(1000);

  await test.step('the agent runs a′ and reports', async () => {
    const { execute } = await agent.when('executed');
    expect(execute).toMatchObject({ tool: 'database', operation: 'delete', parameters: { table: 'load_test', limit: 100 } });
    expect(JSON.parse(await readFile(agent.runsInto, 'utf8'))).toEqual(execute);
    expect(await agent.when('reported')).toMatchObject({ status: 200 });
    expect(await demo.readAction('harbor-assistant', held.id)).toMatchObject({ state: 'succeeded', outcome: { status: 'succeeded' } });
  });

  await test.step('the page says what came of it, and goes on with the next', async () => {
    await expect(page.getByRole('status').filter({ hasText: 'Approved, quorum met.' })).toBeVisible();
    await openHeld(page, demo.console, approval.id);
    await expect(page.getByRole('note').filter({ hasText: 'Approved.' })).toContainText('Priya Raman');
  });

  await test.step('receipts tell it all, and the auditor’s browser verifies them', async () => {
    const auditor = await signIn('auditor');
    await auditor.goto(`${demo.console}/receipts?action=${held.id}`);
    const rows = auditor.getByRole('table', { name: /Receipts/ });
    for (const kind of ['action decided', 'approval requested', 'permit issued', 'outcome']) await expect(rows).toContainText(new RegExp(kind, 'i'));
    await rows.getByRole('row', { name: /Approval voted/ }).click();
    const drawer = auditor.getByRole('complementary', { name: /^Receipt/ }).or(auditor.getByRole('region', { name: /^Receipt \d/ }));
    await expect(drawer.getByText('Consistent, issuer not verified')).toBeVisible({ timeout: 30_000 });
    await drawer.getByRole('button', { name: 'It is the same: remember it' }).click();
    await expect(drawer.getByText(/All \d+ checks pass/)).toBeVisible();
  });
});

test('a denial reaches the waiting agent with its reason, and nothing runs', async ({ signIn, demo }) => {
  const page = await signIn('approver');
  const session = await demo.openSession(change.session);
  const agent = runAgent(demo, 'harbor-assistant', session, change.proposal);
  const held = present((await agent.when('proposed')).action, 'action');
  await openHeld(page, demo.console, present(held.approval, 'approval').id);
  await page.getByRole('button', { name: 'Deny' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deny this action' });
  await dialog.getByRole('radio', { name: 'It reaches further than the request.' }).check();
  await dialog.getByRole('textbox').fill('Only the orders of April, please.');
  await dialog.getByRole('button', { name: 'Deny' }).click();

  const stopped = await agent.when('stopped');
  expect(stopped.action).toMatchObject({ state: 'denied', code: 'approval_denied' });
  expect(stopped.action?.guidance).toContain('Only the orders of April, please.');
  await expect(page.getByRole('status').filter({ hasText: 'Denied.' })).toBeVisible();

  await test.step('the same again is denied at once, until the user says something new', async () => {
    const again = await demo.propose('harbor-assistant', session, change.proposal);
    expect(again).toMatchObject({ state: 'denied', code: 'repeated_after_denial' });
    const said = await demo.call(demo.token('orchestrator'), 'POST', `/v1/sessions/${session}/messages`, { text: 'Yes, close the delivered orders now.' });
    expect(said.status).toBe(200);
    expect(await demo.propose('harbor-assistant', session, change.proposal)).toMatchObject({ state: 'held' });
  });
});
