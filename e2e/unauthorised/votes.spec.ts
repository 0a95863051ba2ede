import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';

import { keyFromPem } from '@/lib/server/ed25519';
import { envelopeText, signEnvelope } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';

import { enrolKey, openHeld, signApproval, tickEveryCheck } from '../approvals-page';
import { exportedActions, postAction, valueOf } from '../console-actions';
import { present, type AgentName, type Demo } from '../demo';
import { expect, test } from '../fixture';
import { change, payment } from '../held-work';

type Vote = { readonly approval: string; readonly envelope: string };

const held = async (demo: Demo, work: typeof change | typeof payment) => {
  const agent: AgentName = 'agent' in work.session ? work.session.agent : 'harbor-assistant';
  const action = await demo.propose(agent, await demo.openSession(work.session), work.proposal);
  return { agent, action: action.id, approval: present(action.approval, 'approval').id };
};
const actionNamed = async (name: string) => present((await exportedActions()).find((one) => one.name === name), name);

/** Everything that this page sends to a server action passes through `tamper`; what it sent is kept. */
async function interceptVotes(page: Page, tamper: (vote: Vote) => Vote = (vote) => vote): Promise<Vote[]> {
  const sent: Vote[] = [];
  const { id } = await actionNamed('approve');
  await page.route('**/*', async (route) => {
    const request = route.request();
    if (request.method() !== 'POST' || request.headers()['next-action'] !== id) return await route.fallback();
    const [vote] = JSON.parse(request.postData() ?? '[]') as Vote[];
    const changed = tamper(present(vote, 'vote'));
    sent.push(changed);
    await route.continue({ postData: JSON.stringify([changed]) });
  });
  return sent;
}

const withEnvelope = (vote: Vote, alter: (envelope: { payload: string; signatures: { sig: string }[] }) => void): Vote => {
  const envelope = JSON.parse(vote.envelope) as { payload: string; signatures: { sig: string }[] };
  alter(envelope);
  return { ...vote, envelope: JSON.stringify(envelope) };
};
const flipped = (base64: string): string => {
  const bytes = Buffer.from(base64, 'base64');
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  return bytes.toString('base64');
};

const tamperings: readonly (readonly [string, (vote: Vote) => Vote, RegExp])[] = [
  ['a signature with one bit changed', (vote) => withEnvelope(vote, (envelope) => envelope.signatures.forEach((one) => (one.sig = flipped(one.sig)))), /signature does not verify/],
  [
    'a statement with another reason than was signed',
    (vote) =>
      withEnvelope(vote, (envelope) => {
        const statement = Buffer.from(envelope.payload, 'base64').toString('utf8');
        envelope.payload = Buffer.from(statement.replace('Small enough.', 'Small enough!'), 'utf8').toString('base64');
      }),
    /signature does not verify/,
  ],
];
for (const [what, tamper, words] of tamperings) {
  test(`${what} is refused, and the action stays held`, async ({ signIn, demo }) => {
    const page = await signIn('approver');
    const { approval, action } = await held(demo, change);
    await openHeld(page, demo.console, approval);
    await enrolKey(page);
    await interceptVotes(page, tamper);
    await signApproval(page, 'Small enough.');
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText(words);
    expect(await demo.readAction('harbor-assistant', action)).toMatchObject({ state: 'held', approval: { quorum: { given: 0 } } });
  });
}

test('a vote for one action counts for no other, and for its own only once', async ({ signIn, demo }) => {
  const page = await signIn('approver');
  const [first, second] = [await held(demo, payment), await held(demo, payment)];
  await openHeld(page, demo.console, first.approval);
  await enrolKey(page);
  const sent = await interceptVotes(page);
  await tickEveryCheck(page);
  await signApproval(page, 'The overhaul is booked.');
  await expect(page.getByRole('status').filter({ hasText: 'Signed, 1 of 2.' })).toBeVisible();
  const vote = present(sent[0], 'vote');
  const approve = await actionNamed('approve');

  const elsewhere = await postAction(page.request, demo.console, approve, { ...vote, approval: second.approval });
  expect(elsewhere.refusal, elsewhere.text).toBe('approval_stale');
  expect(await demo.readAction(second.agent, second.action)).toMatchObject({ state: 'held', approval: { quorum: { given: 0 } } });

  const again = await postAction(page.request, demo.console, approve, vote);
  expect(again.refusal, again.text).toBe('already_voted');
  expect(await demo.readAction(first.agent, first.action)).toMatchObject({ state: 'held', approval: { quorum: { needed: 2, given: 1 } } });

  await test.step('nor in the hands of somebody else', async () => {
    for (const role of ['requester', 'owner', 'admin', 'auditor'] as const) {
      const answer = await postAction((await signIn(role)).request, demo.console, approve, vote);
      expect(answer.refusal, `${role}: ${answer.text}`).toBe('forbidden');
    }
    const other = await postAction((await signIn('second approver')).request, demo.console, approve, vote);
    expect(other.refusal, other.text).toMatch(/^(signature_invalid|not_an_approver|already_voted|key_not_enrolled)$/);
    expect(await demo.readAction(first.agent, first.action)).toMatchObject({ state: 'held', approval: { quorum: { given: 1 } } });
  });
});

test('an approver outside the groups that a request is routed to cannot decide it', async ({ signIn, demo }) => {
  const owner = await signIn('owner');
  const { people } = (await (await owner.request.get(`${demo.console}/api/people`)).json()) as { readonly people: readonly { readonly id: string; readonly email: string; readonly groups: readonly string[] }[] };
  const second = present(people.find(({ email }) => email === demo.person('second approver').email), 'second approver');

  /** The owner's key is a file in the demo, so a program may sign. */
  const putInGroups = async (groups: readonly string[]) => {
    const change = { kind: 'set_person', person: second.id, roles: ['approver'], groups };
    const prepared = await postAction(owner.request, demo.console, await actionNamed('prepareRosterChange'), { change });
    const { roster } = valueOf(prepared) as { readonly roster: { readonly payload_type: string; readonly text: string } };
    const { signer } = keyFromPem(await readFile(demo.ownerKey, 'utf8'));
    const envelope = envelopeText(await signEnvelope(roster.payload_type, utf8(roster.text), [signer]));
    const done = await postAction(owner.request, demo.console, await actionNamed('completeRosterChange'), { change, roster: envelope });
    expect(done.refusal, done.text).toBeUndefined();
  };

  await putInGroups(['finance']);
  try {
    const { approval, action } = await held(demo, change);
    const page = await signIn('second approver');
    await page.goto(`${demo.console}/approvals`);
    await expect(page.getByRole('heading', { name: 'Approvals' })).toBeVisible();
    await expect(page.locator(`a[href*="${approval}"]`)).toHaveCount(0);
    for (const [name, input] of [['approve', { approval, envelope: '{}' }], ['deny', { approval, code: 'not_wanted', reason: 'Not mine to say.' }]] as const) {
      const answer = await postAction(page.request, demo.console, await actionNamed(name), input);
      expect(answer.refusal, answer.text).toMatch(/^(not_found|not_an_approver|invalid_input)$/);
    }
    expect(await demo.readAction('harbor-assistant', action)).toMatchObject({ state: 'held' });
  } finally {
    await putInGroups(second.groups);
  }
});
