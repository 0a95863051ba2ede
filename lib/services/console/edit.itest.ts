import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { EditStatement } from '@/lib/approvals/edit';
import { createPool } from '@/lib/db/pool';
import { isId, type ActionId, type ApprovalId } from '@/lib/shared/ids';
import type { JsonObject } from '@/lib/shared/json';
import { startApprovalStage, type ApprovalStage, type Held, type Voter } from '@/lib/testing/approval-stage';
import { codeOf, signedVote, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import { digestOfDigit } from '@/lib/testing/held-actions';
import { callPlane, type PlaneAnswer } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { signedEdit } from '@/lib/testing/signed-statements';
import { verdictOfLog } from '@/lib/testing/verdict-of-log';

import { askBack } from './ask-back';
import { denyRequest } from './deny-request';
import { editRequest } from './edit-request';
import { approvalDetail } from './views/approval-detail';

const policy = `${planePolicy.replace('directory:', 'limits: { new_per_minute: 1000 }\ndirectory:')}
  - id: drafts-are-free
    match: { tool: files, operation: write, parameters: { path: { starts_with: /srv/drafts/ } } }
    priority: 250
    action: ALLOW
    reason: "Drafts are the agent's own."
  - id: never-etc
    match: { tool: files, operation: write, parameters: { path: { starts_with: /etc/ } } }
    action: DENY
    reason: "No agent writes there."
  - id: confirm-updates
    match: { tool: database, operation: update }
    action: STEP_UP
    reason: "A person looks at what is updated."
`;

let stage: ApprovalStage;
beforeAll(async () => {
  stage = await startApprovalStage(policy);
}, 60_000);
afterAll(() => stage.stop());

const helper = () => stage.plane.token('helper');
const call = async (method: string, where: string, body?: object): Promise<PlaneAnswer> => await stage.plane.call(helper(), method, where, body);
const read = async (id: string, wait = ''): Promise<PlaneAnswer['body']> => (await call('GET', `/v1/actions/${id}${wait}`)).body;
const detailFor = async (who: string, approval: ApprovalId) => valueOf(await approvalDetail(stage.parts, await stage.viewer(who), approval));
const narrow: JsonObject = { path: '/srv/report.txt', content: 'Nothing secret.' };

async function signed(who: Voter, approval: ApprovalId, parameters: JsonObject = narrow, changes: Partial<EditStatement> = {}) {
  const row = await stage.parts.approvals.find(approval);
  if (!row) throw new Error('No request.');
  return await signedEdit({ person: stage.id(who), key: stage.keys[who] }, { approval, basis_digest: row.basis_digest }, parameters, changes);
}
const edit = async (who: Voter, approval: ApprovalId, parameters?: JsonObject, changes?: Partial<EditStatement>) =>
  await editRequest(stage.parts, await stage.viewer(who), await signed(who, approval, parameters, changes));

/** What the waiting agent is told, and what it finds behind that. */
async function followed(action: ActionId): Promise<{ readonly old: PlaneAnswer['body']; readonly id: ActionId; readonly next: PlaneAnswer['body'] }> {
  const old = await read(action, '?wait=20');
  if (!isId('action', old.superseded_by)) throw new Error(`Not superseded: ${JSON.stringify(old)}`);
  return { old, id: old.superseded_by, next: await read(old.superseded_by) };
}
async function approvalOf(id: ActionId): Promise<Held> {
  const row = await stage.parts.approvals.ofAction(id);
  if (!row) throw new Error('Nothing is asked.');
  return { action: id, approval: row.id };
}

describe('an edit', () => {
  it('makes another action of a held one, which people approve anew; its permit is for that one, and there is none for the old one', async () => {
    const held = await stage.hold();
    const late = await signedVote(await stage.heldOf(held.approval), stage.id('second'), stage.keys.second);
    const waiting = followed(held.action);
    const { action } = valueOf(await edit('approver', held.approval, narrow, { reason: 'This text will do.' }));
    const { old, id, next } = await waiting;
    expect(id).toBe(action);
    expect(old).toMatchObject({ state: 'superseded', decision: 'STEP_UP', code: 'action_superseded', guidance: 'This text will do.' });
    expect(next).toMatchObject({ state: 'held', decision: 'STEP_UP', approval: { quorum: { needed: 1, given: 0 } } });
    const anew = await approvalOf(id);
    expect(await stage.heldOf(anew.approval)).toMatchObject({
      action: { tool: 'files', operation: 'write', parameters: narrow },
      edited: { from: held.approval, by: stage.id('approver'), name: 'Abe Approver', reason: 'This text will do.', parameters: { path: '/srv/report.txt', content: 'text' }, transformed: null },
      // The agent's path stays the agent's, what the person typed is theirs.
      arguments: [expect.objectContaining({ path: 'content', source: 'person' }), expect.objectContaining({ path: 'path', source: 'nowhere' })],
    });
    expect(await detailFor('second', held.approval)).toMatchObject({ state: 'superseded', gave_way_to: { request: anew.approval, action: { id, state: 'held' } } });
    expect(codeOf(await stage.cast('second', held.approval, late))).toBe('already_resolved');
    expect(codeOf(await stage.cast('second', anew.approval, late))).toBe('approval_stale');
    valueOf(await stage.cast('second', anew.approval));
    const permitted = await read(id, '?wait=20');
    expect(permitted).toMatchObject({ state: 'permitted' });
    expect((await call('POST', `/v1/permits/${String(permitted.permit.id)}/redeem`)).body).toMatchObject({ action: id, execute: { tool: 'files', operation: 'write', parameters: narrow } });
    expect(await read(held.action)).toEqual(old);
    expect(old).not.toHaveProperty('permit');
  });

  it('may lead to a permit at once, or to a denial, as policy says', async () => {
    const [free, never] = [await stage.hold(), await stage.hold()];
    valueOf(await edit('approver', free.approval, { path: '/srv/drafts/report.txt', content: 'text' }));
    const { id, next } = await followed(free.action);
    expect(next).toMatchObject({ decision: 'ALLOW', state: 'permitted', permit: { id: expect.anything() as unknown } });
    expect(await detailFor('second', free.approval)).toMatchObject({ gave_way_to: { request: null, action: { id, state: 'permitted' } } });
    valueOf(await edit('approver', never.approval, { path: '/etc/report.txt', content: 'text' }));
    expect((await followed(never.action)).next).toMatchObject({ decision: 'DENY', state: 'denied', code: 'denied_by_rule' });
  });

  it('shows a and a′ of before beside a″, of which policy makes its own a′', async () => {
    const held = await stage.hold('database', 'update', { table: 'orders', set: { state: 'late' }, where: 'id > 4', limit: 5000 });
    valueOf(await edit('approver', held.approval, { table: 'orders', set: { state: 'late' }, where: 'id = 5', limit: 10 }));
    const { id } = await followed(held.action);
    const after = await stage.heldOf((await approvalOf(id)).approval);
    expect(after).toMatchObject({ edited: { parameters: { limit: 5000 }, transformed: { limit: 10, where: 'id > 4' } }, transformed: null });
    // Policy's 10 was not typed by anybody.
    expect(after.arguments.find(({ path }) => path === 'limit')?.source).toBe('nowhere');
  });

  it('counts no vote of before, and is open to whoever edited as to anybody else', async () => {
    const held = await stage.payment();
    valueOf(await stage.cast('approver', held.approval));
    valueOf(await edit('approver', held.approval, { to: 'Varga', amount: 90, currency: 'EUR' }));
    const { id, next } = await followed(held.action);
    expect(next).toMatchObject({ state: 'held', approval: { quorum: { needed: 2, given: 0 } } });
    const { approval } = await approvalOf(id);
    valueOf(await stage.cast('approver', approval));
    valueOf(await stage.cast('second', approval));
    expect(await read(id, '?wait=20')).toMatchObject({ state: 'permitted' });
  });

  it('is followed by what depends on the action', async () => {
    const held = await stage.hold();
    const session = (await stage.parts.actions.find([held.action])).get(held.action)?.session;
    const { body: behind } = await call('POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'Done.' }, depends_on: [held.action] });
    expect(behind).toMatchObject({ state: 'deferred', deferral: { waits_for: [held.action] } });
    valueOf(await edit('approver', held.approval, { path: '/srv/drafts/report.txt', content: 'text' }));
    const { id, next } = await followed(held.action);
    await call('POST', `/v1/permits/${String(next.permit.id)}/redeem`);
    expect(await read(String(behind.id))).toMatchObject({ state: 'deferred' });
    await call('POST', `/v1/actions/${id}/outcome`, { status: 'succeeded' });
    expect(await read(String(behind.id), '?wait=20')).toMatchObject({ decision: 'ALLOW', state: 'permitted' });
  });
});

describe('an edit is refused', () => {
  it.each<[string, string, (held: Held) => Promise<unknown>]>([
    ['by the one the agent acts for', 'separation_of_duties', async ({ approval }) => codeOf(await edit('requester', approval))],
    ['by whoever registered the agent', 'separation_of_duties', async ({ approval }) => codeOf(await edit('admin', approval))],
    ['by somebody who may not see it', 'not_found', async ({ approval }) => codeOf(await editRequest(stage.parts, { ...(await stage.viewer('requester')), person: stage.id('second'), email: 'second@harbor.example', groups: [], roles: [], permissions: [] }, await signed('second', approval)))],
    ['by another person than signed it', 'forbidden', async ({ approval }) => codeOf(await editRequest(stage.parts, await stage.viewer('second'), await signed('approver', approval)))],
    ['on another basis', 'approval_stale', async ({ approval }) => codeOf(await edit('approver', approval, narrow, { basis_digest: digestOfDigit('a') }))],
    ['of another request', 'approval_stale', async ({ approval }) => codeOf(await edit('approver', approval, narrow, { request: (await stage.hold()).approval }))],
    ['that was signed an hour ago', 'conflict', async ({ approval }) => codeOf(await edit('approver', approval, narrow, { signed_at: new Date(Date.now() - 3_600_000).toISOString() }))],
    ['that changes nothing', 'invalid_input', async ({ approval }) => codeOf(await edit('approver', approval, { content: 'text', path: '/srv/report.txt' }))],
    ['to parameters that the tool does not have', 'invalid_parameters', async ({ approval }) => codeOf(await edit('approver', approval, { path: '/srv/report.txt', mode: 'append' }))],
    ['to parameters that were not signed', 'invalid_input', async ({ approval }) => {
      const input = await signed('approver', approval);
      return codeOf(await editRequest(stage.parts, await stage.viewer('approver'), { ...input, content: { ...input.content, parameters: '{"path":"/srv/other.txt","content":"text"}' } }));
    }],
    ['with a number that nobody can hold exactly', 'number_not_exact', async ({ approval }) => {
      const input = await signed('approver', approval);
      return codeOf(await editRequest(stage.parts, await stage.viewer('approver'), { ...input, content: { ...input.content, parameters: '{"path":12345678901234567890}' } }));
    }],
  ])('%s: %s, and the request stays as it was', async (_name, code, attempt) => {
    const held = await stage.hold();
    expect(await attempt(held)).toBe(code);
    expect((await stage.parts.approvals.find(held.approval))?.edit).toBeNull();
    expect(await read(held.action)).toMatchObject({ state: 'held' });
  });

  it('of an ended request, which says who ended it, and to credentials, which have no such call', async () => {
    const { action, approval } = await stage.hold();
    const input = await signed('approver', approval);
    valueOf(await denyRequest(stage.parts, await stage.viewer('second'), { approval, code: 'not_wanted', reason: 'No.' }));
    expect(await editRequest(stage.parts, await stage.viewer('approver'), input)).toMatchObject({ error: { code: 'already_resolved', detail: expect.stringContaining('Bea Second') as unknown } });
    for (const method of ['PUT', 'PATCH']) expect((await call(method, `/v1/actions/${action}`, { parameters: narrow })).status).toBe(404);
  });
});

it('what the log says of all this can be read back, holds together, and is decided the same way again', async () => {
  expect(await unreadableReceipts(stage.parts)).toEqual([]);
  const report = await verdictOfLog(stage.parts, stage.plane.provisioned);
  expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
  expect(report.rederived.notes).toEqual([]);
  expect(report.pairing.map(({ verdict }) => verdict)).toEqual(expect.arrayContaining(['superseded', 'completed', 'denied', 'held']));
}, 60_000);

it('is applied once when the plane comes back that was gone when it was signed; meanwhile nobody else edits, asks back or approves, and who did is named', async () => {
  const [held, dropped] = [await stage.hold(), await stage.hold()];
  const vote = await signedVote(await stage.heldOf(held.approval), stage.id('second'), stage.keys.second);
  await stage.plane.end();
  const both = await Promise.all([edit('approver', held.approval), edit('second', held.approval, { path: '/srv/other.txt', content: 'x' })]);
  expect(both.map(codeOf).sort()).toEqual(['edit_pending', 'ok']);
  const winner = both[0]?.ok === true ? 'Abe Approver' : 'Bea Second';
  const refused = [...both, await stage.cast('second', held.approval, vote), await askBack(stage.parts, await stage.viewer('second'), { approval: held.approval, question: 'Why?' })].filter(({ ok }) => !ok);
  expect(refused).toHaveLength(3);
  for (const one of refused) expect(one).toMatchObject({ error: { code: 'edit_pending', detail: expect.stringContaining(winner) as unknown } });
  expect(await detailFor('second', held.approval)).toMatchObject({ state: 'pending', edit: { by_name: winner }, viewer: { may_approve: false, may_edit: false, may_ask: false, may_deny: true, obstacle: { code: 'edit_pending' } } });
  // Whoever sets the row back does not get it approved: the log has the edit.
  const row = await stage.parts.approvals.find(held.approval);
  const pool = createPool({ url: stage.plane.databaseUrl, max: 1, onIdleError: () => undefined });
  await pool.query('UPDATE "approvals" SET "edit" = NULL WHERE "id" = $1', [held.approval]);
  expect(codeOf(await stage.cast('second', held.approval, vote))).toBe('edit_pending');
  await pool.query('UPDATE "approvals" SET "edit" = $2 WHERE "id" = $1', [held.approval, row?.edit]);
  await pool.end();
  valueOf(await edit('approver', dropped.approval));
  valueOf(await denyRequest(stage.parts, await stage.viewer('second'), { approval: dropped.approval, code: 'not_wanted', reason: 'Not at all.' }));
  const planes = await Promise.all([stage.plane.another(), stage.plane.another()]);
  try {
    const seen = async (id: string): Promise<PlaneAnswer['body']> => (await callPlane(planes[0].url, helper(), 'GET', `/v1/actions/${id}?wait=20`)).body;
    const old = await seen(held.action);
    expect(old).toMatchObject({ state: 'superseded' });
    expect(JSON.parse(row?.edit ?? '{}')).toMatchObject({ action: old.superseded_by });
    const decided = (await stage.parts.log.search({ kind: 'action_decided', action: old.superseded_by as ActionId }, { limit: 10 })).rows;
    const ends = (await stage.parts.log.search({ kind: 'approval_resolved', action: held.action }, { limit: 10 })).rows;
    expect([decided.length, ends.length]).toEqual([1, 1]);
    expect(await seen(dropped.action)).toMatchObject({ state: 'denied', code: 'approval_denied' });
    expect((await verdictOfLog(stage.parts, stage.plane.provisioned)).checks.filter(({ state }) => state === 'fail')).toEqual([]);
  } finally {
    await Promise.all(planes.map(({ stop }) => stop()));
  }
}, 60_000);
