import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { exportedActions, postAction } from './console-actions';
import { present } from './demo';
import { expect, test } from './fixture';
import { repository } from './product';
import { runAgent } from './run-agent';
import { runCommand } from './run-command';

/** Long enough for a browser to open the request, short enough to wait for. Seconds. */
const timeoutS = 12;

test('what nobody decides in time is denied: the agent, the page and a late decision all hear so', async ({ signIn, demo }) => {
  await test.step('an owner signs and applies a policy with a short deadline', async () => {
    const text = await readFile(path.join(repository, 'policies', 'demo.yaml'), 'utf8');
    const rule = 'id: invitations-outside\n';
    expect(text).toContain(rule);
    const file = path.join(demo.stateDirectory, 'short.yaml');
    await writeFile(file, text.replace(rule, `${rule}    timeout: ${String(timeoutS)}s\n`));
    for (const command of ['sign', 'apply']) {
      const answer = await runCommand(demo, ['policy', command, file, '--key', demo.ownerKey]);
      expect(answer, answer.stderr).toMatchObject({ code: 0 });
    }
  });

  const page = await signIn('approver');
  await page.goto(`${demo.console}/policies?tab=revisions`);
  await expect(page.getByRole('link', { name: /r2\b.*In force/ })).toBeVisible();
  await page.goto(`${demo.console}/approvals`);

  const session = await demo.openSession({ request: 'Invite the pilots’ office, pilots@estuary.example, to the pilot briefing on Monday.' });
  const agent = runAgent(demo, 'harbor-assistant', session, {
    tool: 'calendar', operation: 'invite', parameters: { id: 'event-1', participants: ['pilots@estuary.example'] }, reason: 'They are not of this office.',
  });
  const held = present((await agent.when('proposed')).action, 'action');
  const approval = present(held.approval, 'approval');
  await page.goto(approval.url);
  await expect(page.getByRole('timer')).toHaveAccessibleName(/seconds until it is denied/);
  await page.getByRole('button', { name: 'Deny' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deny this action' });
  await dialog.getByRole('radio', { name: 'This is not wanted.' }).check();

  const stopped = await agent.when('stopped');
  expect(stopped.action).toMatchObject({ decision: 'STEP_UP', state: 'expired', code: 'approval_expired' });

  await expect(page.getByRole('alert').filter({ hasText: 'Time ran out.' })).toContainText('Your decision was not recorded');
  await expect(page.getByRole('article').getByRole('note').filter({ hasText: 'Time ran out, so it was denied.' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Approve and sign|Deny)/ })).toHaveCount(0);

  const deny = present((await exportedActions()).find(({ name }) => name === 'deny'), 'deny');
  const late = await postAction(page.request, demo.console, deny, { approval: approval.id, code: 'not_wanted', reason: 'Too late.' });
  expect(late.refusal, late.text).toBe('approval_expired');
});
