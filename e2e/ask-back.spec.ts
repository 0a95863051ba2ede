import { openHeld, withKey } from './approvals-page';
import { violationsOf } from './axe';
import { present } from './demo';
import { expect, test } from './fixture';
import { deletion } from './held-work';
import { runAgent } from './run-agent';

test('an approver asks instead of deciding; whom the agent works for answers, and people are asked anew with the answer', async ({ signIn, demo }) => {
  const agent = runAgent(demo, 'harbor-assistant', await demo.openSession(deletion.session), deletion.proposal);
  const { approval, id } = present((await agent.when('proposed')).action, 'action');
  const approver = await signIn('approver');
  await openHeld(approver, demo.console, present(approval, 'approval').id);
  await approver.keyboard.press('/');
  await approver.keyboard.type('q');
  await expect(approver.getByRole('dialog')).toHaveCount(0);
  await approver.keyboard.press('Backspace');
  await approver.keyboard.press('Tab');
  await openHeld(approver, demo.console, present(approval, 'approval').id);
  await approver.keyboard.press('q');
  const question = approver.getByRole('dialog', { name: 'Ask back' });
  await expect(question.getByRole('button', { name: 'Question needed' })).toBeVisible();
  await question.getByRole('textbox').fill('Are these the ones of\u202e the 3rd?');
  expect(await violationsOf(approver)).toEqual([]);
  await approver.keyboard.press('Control+Enter');
  await expect(question).toHaveCount(0);
  await expect(approver.getByRole('status').filter({ hasText: 'Asked back.' })).toBeVisible();
  expect(await demo.readAction('harbor-assistant', id)).toMatchObject({ decision: 'STEP_UP', state: 'deferred', deferral: { question: { asked: 1 } } });

  const requester = await signIn('requester', { viewport: { width: 390, height: 844 } });
  await requester.goto(`${demo.console}/requests`);
  // What somebody typed is drawn with its invisible characters as escapes.
  const item = requester.getByRole('article').filter({ hasText: 'the 3rd?' });
  await expect(item).toContainText('U+202E');
  expect(await violationsOf(requester)).toEqual([]);
  await item.getByRole('button', { name: /^Answer/ }).click();
  const answer = requester.getByRole('dialog', { name: 'Answer this question' });
  await withKey(answer);
  await answer.getByLabel('Your answer').fill('<b>Yes</b>, all of them.');
  expect(await violationsOf(requester)).toEqual([]);
  await answer.getByRole('button', { name: /Sign and answer/ }).click();
  await expect(answer).toHaveCount(0);

  await expect.poll(async () => (await demo.readAction('harbor-assistant', id)).state).toBe('held');
  const anew = present((await demo.readAction('harbor-assistant', id)).approval, 'approval').id;
  await openHeld(approver, demo.console, anew);
  const asked = approver.getByRole('region', { name: 'Asked back' });
  await expect(asked).toContainText('“<b>Yes</b>, all of them.”');
  await expect(asked).toContainText('answer, signed');
  expect(await violationsOf(approver)).toEqual([]);
  await openHeld(approver, demo.console, present(approval, 'approval').id);
  await expect(approver.getByRole('note').filter({ hasText: 'Somebody asked back instead of deciding.' }).getByRole('link')).toHaveAttribute('href', `/approvals?item=${anew}`);
});
