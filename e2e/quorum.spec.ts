import { violationsOf } from './axe';
import { enrolKey, openHeld, signApproval, tickEveryCheck } from './approvals-page';
import { present } from './demo';
import { expect, test } from './fixture';
import { payment } from './held-work';
import { runAgent } from './run-agent';

test('a payment over the limit runs only when two people of finance have signed', async ({ signIn, demo }) => {
  const agent = runAgent(demo, 'harbor-bookkeeper', await demo.openSession(payment.session), payment.proposal);
  const held = present((await agent.when('proposed')).action, 'action');
  const { id, quorum } = present(held.approval, 'approval');
  expect(quorum).toEqual({ needed: 2, given: 0 });

  const first = await signIn('approver');
  await openHeld(first, demo.console, id);
  await enrolKey(first);
  await tickEveryCheck(first);
  await signApproval(first, 'The overhaul is booked.');
  await expect(first.getByRole('status').filter({ hasText: 'Signed, 1 of 2.' })).toBeVisible();
  expect(await demo.readAction('harbor-bookkeeper', held.id)).toMatchObject({ state: 'held', approval: { quorum: { given: 1 } } });
  await openHeld(first, demo.console, id);
  await expect(first.getByRole('article').getByText('You have signed. Somebody else completes it.')).toBeVisible();

  await test.step('whoever has signed gives the others more time, by another signature', async () => {
    await first.getByRole('article').getByRole('button', { name: 'Extend' }).click();
    const dialog = first.getByRole('dialog', { name: 'Extend this request' });
    await dialog.getByLabel('New end').selectOption({ label: (await dialog.getByRole('option').allInnerTexts())[0] ?? '' });
    expect(await violationsOf(first)).toEqual([]);
    await dialog.getByRole('button', { name: /^Sign with/ }).click();
    await expect(first.getByRole('article').getByText('Priya Raman extended it')).toBeVisible();
    const { expires_at } = present((await demo.readAction('harbor-bookkeeper', held.id)).approval, 'approval');
    expect(Date.parse(expires_at) - Date.parse(present(held.approval, 'approval').expires_at)).toBe(5 * 60_000);
  });

  const second = await signIn('second approver');
  await openHeld(second, demo.console, id);
  const signatures = second.getByRole('article').getByRole('region', { name: 'Signatures' });
  await expect(signatures).toContainText('1 of 2');
  await expect(signatures).toContainText('Priya Raman approved');
  await enrolKey(second);
  await tickEveryCheck(second);
  await signApproval(second, 'Seen the offer.');
  await expect(second.getByRole('status').filter({ hasText: 'Approved, quorum met.' })).toBeVisible();
  expect((await agent.when('executed')).execute).toMatchObject({ parameters: { amount: 18_500 } });

  // The first one hears of it without loading anything anew.
  await expect(first.getByRole('article').getByRole('note').filter({ hasText: 'Approved.' })).toBeVisible();
});
