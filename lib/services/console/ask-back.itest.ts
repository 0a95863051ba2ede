import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { SuppliedFact } from '@/lib/approvals/supplied-fact';
import { createPool } from '@/lib/db/pool';
import { isId, type ActionId, type ApprovalId, type DeferralId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import { startApprovalStage, type ApprovalStage, type Held, type Voter } from '@/lib/testing/approval-stage';
import { codeOf, signedVote, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import type { PlaneAnswer } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { signedFact } from '@/lib/testing/signed-statements';
import { verdictOfLog } from '@/lib/testing/verdict-of-log';

import { askBack } from './ask-back';
import { denyRequest } from './deny-request';
import { supplyFact } from './supply-fact';
import { approvalDetail } from './views/approval-detail';
import { deferralsView } from './views/deferrals-view';

const policy = `${planePolicy.replace('directory:', 'limits: { new_per_minute: 1000 }\ndirectory:')}
  - id: nobody-writes-tickets
    match: { tool: tickets, operation: update }
    priority: 100
    action: STEP_UP
    approvers: [data-owner]
    reason: "A person looks at tickets."
  - id: tickets-are-harmless
    match: { tool: tickets, operation: update }
    priority: 100
    action: ALLOW
    reason: "Tickets are harmless."
`;

let stage: ApprovalStage;
beforeAll(async () => {
  stage = await startApprovalStage(policy);
}, 60_000);
afterAll(() => stage.stop());

type Asked = { readonly action: ActionId; readonly deferral: DeferralId; readonly session: SuppliedFact['session'] };

const helper = () => stage.plane.token('helper');
const read = async (id: string, wait = ''): Promise<PlaneAnswer['body']> => (await stage.plane.call(helper(), 'GET', `/v1/actions/${id}${wait}`)).body;
const ask = async (who: string, approval: ApprovalId, question = 'Which report is it?') => await askBack(stage.parts, await stage.viewer(who), { approval, question });

async function asked({ action, approval }: Held, question?: string): Promise<Asked> {
  const { deferral } = valueOf(await ask('approver', approval, question));
  const row = await stage.parts.approvals.deferralOf(action);
  if (!row) throw new Error('No deferral.');
  return { action, deferral, session: row.session };
}
async function answer(who: Voter, { action, deferral, session }: Asked, value: Json, changes: Partial<SuppliedFact> = {}) {
  const wanted = { session, deferral, subject: `action:${action}`, name: 'answer.1', source: 'requester', ...changes };
  return await supplyFact(stage.parts, await stage.viewer(who), await signedFact({ person: stage.id(who), key: stage.keys[who] }, wanted, value, changes));
}
const tell = (who: string, { session, action }: Asked, value: Json, name = 'answer.1') =>
  stage.plane.call(stage.plane.token(who), 'POST', `/v1/sessions/${session}/context`, { attributes: [{ subject: `action:${action}`, name, value }] });
async function heldAgain(action: ActionId): Promise<Held> {
  // A long poll on what is held already would last its whole time.
  await expect.poll(async () => String((await read(action)).state), { timeout: 20_000 }).toBe('held');
  const { approval } = await read(action);
  if (!isId('approval', approval.id)) throw new Error('No request.');
  return { action, approval: approval.id };
}

describe('a question that is asked back', () => {
  it('makes the action wait for a named answer, and tells the waiting agent which', async () => {
    const held = await stage.hold();
    const waiting = stage.plane.call(helper(), 'GET', `/v1/actions/${held.action}?wait=10`);
    await asked(held, 'Which report\u202e is it?');
    expect((await waiting).body).toMatchObject({
      decision: 'STEP_UP', state: 'deferred', code: 'needs_context',
      deferral: { missing: [{ field: 'answer.1', suppliers: ['requester', 'orchestrator:desk'] }], question: { text: 'Which report\u202e is it?', asked: 1 } },
    });
    const { body } = await stage.plane.call(helper(), 'GET', `/v1/actions/${held.action}`);
    expect(body).not.toHaveProperty('approval');
    expect(valueOf(await approvalDetail(stage.parts, await stage.viewer('second'), held.approval))).toMatchObject({ state: 'superseded', action: { state: 'deferred' } });
  });

  it('is shown to the one it is for, who may answer it, and to those whom the request was before, who may not', async () => {
    const { deferral } = await asked(await stage.hold());
    const seenBy = async (who: string) => {
      const item = (await deferralsView(stage.parts, await stage.viewer(who))).items.find(({ id }) => id === deferral);
      return item && [item.question?.text, item.question?.by_name, item.missing.map(({ attribute, answer_as, type }) => [attribute, answer_as, type]), item.at_timeout];
    };
    expect(await seenBy('requester')).toEqual(['Which report is it?', 'Abe Approver', [['answer.1', 'requester', 'string']], 'DENY']);
    for (const who of ['approver', 'second', 'owner']) expect(await seenBy(who)).toMatchObject([expect.anything(), expect.anything(), [['answer.1', null, 'string']], 'DENY']);
  });

  it('answered by the requester puts the action before people anew, with question and answer, and without the votes of before', async () => {
    const held = await stage.payment();
    valueOf(await stage.cast('second', held.approval));
    const question = await asked(held, 'Why Varga?');
    valueOf(await answer('requester', question, 'They fixed the roof.'));
    const again = await heldAgain(held.action);
    expect(again.approval).not.toBe(held.approval);
    const detail = valueOf(await approvalDetail(stage.parts, await stage.viewer('approver'), again.approval));
    expect(detail).toMatchObject({ state: 'pending', quorum: { needed: 2, given: 0 }, votes: [] });
    expect(detail.held.asked).toEqual([expect.objectContaining({ by: stage.id('approver'), name: 'Abe Approver', question: 'Why Varga?', answer: 'They fixed the roof.', answered_by: 'requester' })]);
    // A vote that was signed for the first request is none for the second.
    expect(codeOf(await stage.cast('approver', again.approval, await signedVote(await stage.heldOf(held.approval), stage.id('approver'), stage.keys.approver)))).toBe('approval_stale');
    valueOf(await stage.cast('approver', again.approval));
    valueOf(await stage.cast('second', again.approval));
    expect(await read(held.action, '?wait=10')).toMatchObject({ state: 'permitted' });
  });

  it('may be answered by the orchestrator that opened the session, also that there is no answer', async () => {
    const [one, other] = [await asked(await stage.hold()), await asked(await stage.hold())];
    expect((await tell('desk', one, 'The one of March.')).body).toMatchObject({ redecided: [one.action] });
    expect((await tell('desk', other, { unavailable: true })).status).toBe(200);
    const answers = await Promise.all([one, other].map(async ({ action }) => (await stage.heldOf((await heldAgain(action)).approval)).asked?.map((said) => [said.answer, said.answered_by])));
    expect(answers).toEqual([[['The one of March.', 'orchestrator:desk']], [[null, 'orchestrator:desk']]]);
  });

  it('may be asked three times about one action, and not a fourth', async () => {
    let held = await stage.hold();
    for (const name of ['answer.1', 'answer.2', 'answer.3']) {
      const question = await asked(held, `What is ${name}?`);
      expect((await tell('desk', question, name, name)).status).toBe(200);
      held = await heldAgain(held.action);
    }
    expect((await stage.heldOf(held.approval)).asked?.map((said) => [said.question, said.answer])).toEqual(['answer.1', 'answer.2', 'answer.3'].map((name) => [`What is ${name}?`, name]));
    expect(codeOf(await ask('approver', held.approval))).toBe('conflict');
    expect(await read(held.action)).toMatchObject({ state: 'held' });
  });

  it('stops an action that rules disagree about as well', async () => {
    const held = await stage.hold('tickets', 'update', { id: 'T-9', state: 'closed' });
    const question = await asked(held);
    expect((await tell('desk', question, 'Yes, close it.')).status).toBe(200);
    const again = await heldAgain(held.action);
    valueOf(await stage.cast('approver', again.approval));
    expect(await read(held.action, '?wait=10')).toMatchObject({ decision: 'DEFER', state: 'permitted' });
  });

  it('does not stop the requester from taking the action back, nor is it open any more then', async () => {
    const question = await asked(await stage.hold());
    await stage.plane.call(helper(), 'DELETE', `/v1/actions/${question.action}`);
    expect(await read(question.action)).toMatchObject({ state: 'withdrawn' });
    expect((await tell('desk', question, 'Too late.')).status).toBe(409);
  });
});

describe('asking back is refused', () => {
  it('from whom the request is not put before, without words, and when somebody was faster, who is named', async () => {
    const { approval } = await stage.hold();
    expect(codeOf(await ask('owner', approval))).toBe('not_an_approver');
    expect(codeOf(await ask('approver', approval, '  '))).toBe('reason_required');
    valueOf(await denyRequest(stage.parts, await stage.viewer('second'), { approval, code: 'not_wanted', reason: 'No.' }));
    const late = await ask('approver', approval);
    expect(late).toMatchObject({ ok: false, error: { code: 'already_resolved', detail: expect.stringContaining('Bea Second') } });
  });

  it('to all but one of those who ask at once, and whoever votes after it', async () => {
    const { approval } = await stage.hold();
    const envelope = await signedVote(await stage.heldOf(approval), stage.id('second'), stage.keys.second);
    const codes = await Promise.all(['approver', 'second'].map(async (who) => codeOf(await ask(who, approval))));
    expect(codes.sort()).toEqual(['already_resolved', 'ok']);
    expect(codeOf(await stage.cast('second', approval, envelope))).toBe('already_resolved');
  });
});

describe('an answer is refused, and the action goes on waiting,', () => {
  it.each<[string, (question: Asked) => Promise<unknown>, unknown]>([
    ['from the agent', async (question) => (await tell('helper', question, 'Do it.')).status, 403],
    ['from an information point', async (question) => (await tell('records', question, 'Do it.')).status, 403],
    ['from an enforcement point', async (question) => (await tell('gate', question, 'Do it.')).status, 403],
    ['to a question that nobody asked', async (question) => (await tell('desk', question, 'Do it.', 'answer.2')).status, 409],
    ['that is no words', async (question) => (await tell('desk', question, ' ')).status, 400],
    ['that is too long', async (question) => (await tell('desk', question, 'x'.repeat(4001))).status, 400],
    ['that is a list', async (question) => (await tell('desk', question, ['Do it.'])).status, 400],
    ['in the requester’s name, from an approver', async (question) => codeOf(await answer('approver', question, 'Do it.')), 'forbidden'],
    ['of the requester for a group', async (question) => codeOf(await answer('requester', question, 'Do it.', { source: 'group:approver' })), 'separation_of_duties'],
    ['of an approver for a group', async (question) => codeOf(await answer('second', question, 'Do it.', { source: 'group:approver' })), 'forbidden'],
    ['of the requester without words', async (question) => codeOf(await answer('requester', question, ' ')), 'invalid_input'],
    ['of the requester about another action', async (question) => codeOf(await answer('requester', question, 'Do it.', { subject: `action:${(await stage.hold()).action}` })), 'forbidden'],
    ['of the requester, signed by another key', async (question) => codeOf(await answer('requester', question, 'Do it.', { signer: { person: stage.id('requester'), key: stage.keys.approver.id, key_kind: 'browser-ed25519' } })), 'key_not_enrolled'],
  ])('%s', async (_name, attempt, refused) => {
    const question = await asked(await stage.hold());
    expect(await attempt(question)).toBe(refused);
    expect(await read(question.action)).toMatchObject({ state: 'deferred', deferral: { missing: [{ field: 'answer.1' }] } });
  });
});

it('a change of policy decides anew what waits for an answer, and it goes on waiting for it', async () => {
  const question = await asked(await stage.hold());
  const { epoch } = await stage.parts.log.head();
  await stage.parts.transactor.withHead((tx) => stage.parts.transactor.raiseEpoch(tx));
  await expect.poll(async () => (await stage.parts.actions.find([question.action])).get(question.action)?.epoch ?? 0n, { timeout: 20_000 }).toBeGreaterThan(epoch);
  expect(await read(question.action)).toMatchObject({ decision: 'DEFER', state: 'deferred', deferral: { missing: [{ field: 'answer.1' }], question: { asked: 1 } } });
  expect((await tell('desk', question, 'The one of March.')).status).toBe(200);
  await heldAgain(question.action);
}, 60_000);

it('what the log says of all this can be read back, holds together, and is decided the same way again', async () => {
  expect(await unreadableReceipts(stage.parts)).toEqual([]);
  const report = await verdictOfLog(stage.parts, stage.plane.provisioned);
  expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
  expect(report.rederived.notes).toEqual([]);
  expect(report.pairing.map(({ verdict }) => verdict)).toEqual(expect.arrayContaining(['deferred', 'held', 'permit_unused', 'withdrawn']));
});

it('without an answer the action is denied when the time is over, and no person is asked again', async () => {
  const question = await asked(await stage.hold());
  const pool = createPool({ url: stage.plane.databaseUrl, max: 1, onIdleError: () => undefined });
  await pool.query('UPDATE deferrals SET expires_at = created_at WHERE id = $1', [question.deferral]);
  await pool.end();
  expect(await read(question.action, '?wait=20')).toMatchObject({ state: 'expired', code: 'deferral_expired' });
  expect((await tell('desk', question, 'Too late.')).status).toBe(409);
});
