import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPool } from '@/lib/db/pool';
import { isId, type ActionId, type ApprovalId } from '@/lib/shared/ids';
import { startApprovalStage, type ApprovalStage, type Held } from '@/lib/testing/approval-stage';
import { codeOf, signedVote, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import type { PlaneAnswer } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { verdictOfLog } from '@/lib/testing/verdict-of-log';

import { approvalDetail } from './views/approval-detail';

/** What becomes of actions that are held first, under the policy after it. */
const later: Readonly<Record<string, string>> = {
  allowed: 'action: ALLOW', forbidden: 'action: DENY', deferred: 'action: DEFER\n    context_needed: [owner]\n    reason: "Whose it is has to be known."\n  - id: later-allowed-then\n    match: { tool: later, operation: deferred }\n    action: ALLOW', unapproved: 'action: STEP_UP\n    approvers: [nobody]', asked: 'action: STEP_UP\n    approvers: [data-owner]',
};
const policyWith = (does: (name: string) => string): string => `${planePolicy
    .replace('directory:', 'limits: { new_per_minute: 1000 }\ndirectory:')
    .replace('tools:\n', `tools:\n${Object.keys(later).map((name) => `  - name: later.${name}\n    effect: write\n    impact: low\n    parameters: { text: { type: string, role: target } }\n`).join('')}`)}
${Object.keys(later).map((name) => `  - id: later-${name}\n    match: { tool: later, operation: ${name} }\n    ${does(name)}\n    reason: "By its name."`).join('\n')}
  - id: nothing-leaves-after-personal-data
    match: { tool: files, operation: write, parameters: { path: { starts_with: /srv/public } } }
    context: { data_classification: { contains: [PII] } }
    action: DENY
    classification: context_dependent_deny
    reason: "Personal data was read: nothing is published."
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
  stage = await startApprovalStage(policyWith(() => 'action: STEP_UP'));
}, 60_000);
afterAll(() => stage.stop());

const helper = () => stage.plane.token('helper');
const read = async (id: string, wait = ''): Promise<PlaneAnswer['body']> => (await stage.plane.call(helper(), 'GET', `/v1/actions/${id}${wait}`)).body;
const report = (folder = '/srv') => stage.hold('files', 'write', { path: `${folder}/report.txt`, content: 'text' });
const sessionOf = async (action: ActionId) => (await stage.parts.actions.find([action])).get(action)?.session ?? '';
const goOn = async (action: ActionId, tool: string, operation: string, parameters: object) =>
  (await stage.plane.call(helper(), 'POST', '/v1/actions', { session: await sessionOf(action), tool, operation, parameters })).body as unknown;
const readCustomers = (action: ActionId) => goOn(action, 'database', 'query', { query: 'SELECT name FROM customers' });

/** The request that took the place of the other. */
async function next({ action, approval }: Held): Promise<Held> {
  await expect.poll(async () => (await stage.parts.approvals.ofAction(action))?.id, { timeout: 20_000 }).not.toBe(approval);
  const row = await stage.parts.approvals.ofAction(action);
  if (row?.state !== 'pending') throw new Error('Nothing is asked.');
  return { action, approval: row.id };
}
const stateOf = async (id: ApprovalId) => (await stage.parts.approvals.find(id))?.state;
const changedIn = async (id: ApprovalId) => (await stage.heldOf(id)).changed;

describe('a request whose basis has moved', () => {
  it('gives the one that follows the end that was signed, whatever its row says', async () => {
    const held = await stage.payment();
    const { expires_at } = await stage.heldOf(held.approval);
    const pool = createPool({ url: stage.plane.databaseUrl, max: 1, onIdleError: () => undefined });
    try {
      await pool.query(`UPDATE "approvals" SET "expires_at" = "expires_at" + interval '5 hours' WHERE "id" = $1`, [held.approval]);
    } finally {
      await pool.end();
    }
    await readCustomers(held.action);
    const anew = await next(held);
    expect((await stage.heldOf(anew.approval)).expires_at).toBe(expires_at);
    expect((await stage.parts.approvals.find(anew.approval))?.expires_at).toBe(expires_at);
  });

  it('gives way to one on the basis of now, to the same end and without its votes, that says what has changed', async () => {
    const held = await stage.payment();
    valueOf(await stage.cast('second', held.approval));
    const late = await signedVote(await stage.heldOf(held.approval), stage.id('approver'), stage.keys.approver);
    await readCustomers(held.action);
    const anew = await next(held);
    expect(await stateOf(held.approval)).toBe('stale');
    expect(codeOf(await stage.cast('approver', held.approval, late))).toBe('already_resolved');
    expect(codeOf(await stage.cast('approver', anew.approval, late))).toBe('approval_stale');
    const detail = valueOf(await approvalDetail(stage.parts, await stage.viewer('approver'), anew.approval));
    expect(detail).toMatchObject({ quorum: { needed: 2, given: 0 }, votes: [], held: { expires_at: (await stage.heldOf(held.approval)).expires_at } });
    expect(await changedIn(anew.approval)).toEqual({
      from: held.approval, differences: expect.arrayContaining([{ what: 'label', name: 'CONFIDENTIAL', before: null, after: 'CONFIDENTIAL' }, { what: 'label', name: 'PII', before: null, after: 'PII' }]) as unknown,
    });
    expect(valueOf(await approvalDetail(stage.parts, await stage.viewer('approver'), held.approval)).gave_way_to).toEqual({ deferral: null, request: anew.approval, action: null });
    expect(await read(held.action)).toMatchObject({ state: 'held', approval: { id: anew.approval, quorum: { given: 0 } } });
    valueOf(await stage.cast('approver', anew.approval));
    valueOf(await stage.cast('second', anew.approval));
    expect(await read(held.action, '?wait=10')).toMatchObject({ state: 'permitted' });
  });

  it('stays as it is while its session goes on with what it does not rest on', async () => {
    const held = await report();
    await goOn(held.action, 'notes', 'write', { text: 'A note.' });
    const head = (await stage.parts.sessions.find([(await sessionOf(held.action)) as never])).values().next().value?.head;
    await expect.poll(async () => (await stage.parts.approvals.find(held.approval))?.looked_head, { timeout: 20_000 }).toBe(head);
    expect(await stateOf(held.approval)).toBe('pending');
    expect((await stage.parts.approvals.ofAction(held.action))?.id).toBe(held.approval);
    valueOf(await stage.cast('approver', held.approval));
  });

  it('ends denied when what was read since forbids it', async () => {
    const held = await report('/srv/public');
    await readCustomers(held.action);
    expect(await read(held.action, '?wait=20')).toMatchObject({ decision: 'DENY', state: 'denied', code: 'denied_by_context' });
    expect(await stateOf(held.approval)).toBe('stale');
  });

  it('where rules disagree goes on as one of theirs, with the deferral that it decides', async () => {
    const held = await stage.hold('tickets', 'update', { id: 'T-9', state: 'closed' });
    const deferral = await stage.parts.approvals.deferralOf(held.action);
    await readCustomers(held.action);
    const anew = await next(held);
    expect(await stage.parts.approvals.deferralOf(held.action)).toMatchObject({ id: deferral?.id, state: 'open' });
    valueOf(await stage.cast('approver', anew.approval));
    expect(await read(held.action, '?wait=10')).toMatchObject({ decision: 'DEFER', state: 'permitted' });
  });

  it('is replaced once, however many planes look at it', async () => {
    const others = [await stage.plane.another(), await stage.plane.another()];
    try {
      const held = await report();
      await readCustomers(held.action);
      const anew = await next(held);
      await expect.poll(async () => (await stage.parts.approvals.toLookAt(0n, 500)).map(({ action }) => action), { timeout: 20_000 }).not.toContain(held.action);
      expect(await stage.parts.approvals.countOf(held.action)).toBe(2);
      expect(await stateOf(anew.approval)).toBe('pending');
    } finally {
      await Promise.all(others.map((other) => other.stop()));
    }
  }, 60_000);
});

it('a request under another policy ends as that says, or is asked anew under it', async () => {
  const held = new Map<string, Held>();
  for (const name of Object.keys(later)) held.set(name, await stage.hold('later', name, { text: 'x' }));
  const outcome = async (name: string): Promise<PlaneAnswer['body']> => await read(held.get(name)?.action ?? '');
  await stage.changePolicy(policyWith((name) => later[name] ?? ''));
  for (const name of ['allowed', 'forbidden', 'deferred', 'unapproved']) await expect.poll(async () => String((await outcome(name)).state), { timeout: 20_000 }).not.toBe('held');
  expect(await outcome('allowed')).toMatchObject({ decision: 'ALLOW', state: 'permitted' });
  expect(await outcome('forbidden')).toMatchObject({ decision: 'DENY', state: 'denied', code: 'denied_by_rule' });
  expect(await outcome('deferred')).toMatchObject({ decision: 'DEFER', state: 'deferred', deferral: { missing: [{ field: 'target_ownership' }] } });
  expect(await outcome('unapproved')).toMatchObject({ decision: 'DENY', state: 'denied', code: 'no_approver' });
  const asked = held.get('asked');
  if (!asked) throw new Error('Nothing was asked.');
  expect((await changedIn((await next(asked)).approval))?.differences).toEqual([
    { what: 'policy', name: 'revision', before: 1, after: 2 }, { what: 'approvers', name: 'groups', before: ['approver'], after: ['data-owner'] },
  ]);
}, 60_000);

it('what the log says of all this can be read back, holds together, and is decided the same way again', async () => {
  expect(await unreadableReceipts(stage.parts)).toEqual([]);
  const found = await verdictOfLog(stage.parts, stage.plane.provisioned);
  expect(found.checks.filter(({ state }) => state === 'fail')).toEqual([]);
  expect(found.rederived.notes).toEqual([]);
});

it('what never stands still is denied in the end, since nobody could ever judge it', async () => {
  const held = await report();
  const pool = createPool({ url: stage.plane.databaseUrl, max: 1, onIdleError: () => undefined });
  await pool.query(
    `INSERT INTO approvals (workspace_id, id, action_id, session_id, state, impact, approvers, all_groups, quorum, separation, basis, basis_digest, held, created_at, expires_at)
     SELECT workspace_id, id || n, action_id, session_id, 'stale', impact, approvers, all_groups, quorum, separation, basis, basis_digest, held, created_at - interval '1 hour', expires_at
     FROM approvals, generate_series(1, 19) n WHERE id = $1`,
    [held.approval],
  );
  await pool.end();
  await readCustomers(held.action);
  expect(await read(held.action, '?wait=20')).toMatchObject({ state: 'denied', code: 'approval_stale' });
  expect(isId('approval', held.approval) && (await stateOf(held.approval))).toBe('denied');
});
