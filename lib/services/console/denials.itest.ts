import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPool } from '@/lib/db/pool';
import { isId } from '@/lib/shared/ids';
import { startApprovalStage, type ApprovalStage } from '@/lib/testing/approval-stage';
import { codeOf, signedVote, valueOf } from '@/lib/testing/console-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

import { denyRequest } from './deny-request';
import { approvalDetail } from './views/approval-detail';
import { queueView } from './views/queue-view';
import { withdrawOwnAction } from './withdraw-action';

let stage: ApprovalStage;
let plane: ApprovalStage['plane'];
let parts: ApprovalStage['parts'];
let keys: ApprovalStage['keys'];
let id: ApprovalStage['id'];
let viewer: ApprovalStage['viewer'];
let hold: ApprovalStage['hold'];
let heldOf: ApprovalStage['heldOf'];
let cast: ApprovalStage['cast'];

beforeAll(async () => {
  stage = await startApprovalStage();
  ({ plane, parts, keys, id, viewer, hold, heldOf, cast } = stage);
}, 60_000);

afterAll(async () => {
  await stage.stop();
});

describe('denying', () => {
  it('needs no key, but a reason and membership', async () => {
    const { approval } = await hold();
    const outsider = await viewer('owner');
    expect(codeOf(await denyRequest(parts, outsider, { approval, code: 'other', reason: 'No.' }))).toBe('not_an_approver');
    expect(codeOf(await denyRequest(parts, await viewer('approver'), { approval, code: 'other', reason: ' ' }))).toBe('reason_required');
    expect(valueOf(await denyRequest(parts, await viewer('approver'), { approval, code: 'other', reason: 'No.' }))).toMatchObject({ state: 'denied' });
  });

  it('holds for the same action again in the session, until the user says something new', async () => {
    const session = await plane.openSession('Please write the report.');
    const propose = (path: string, content: string) =>
      plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'files', operation: 'write', parameters: { path, content } });
    const held = (await propose('/srv/report.txt', 'one')).body;
    if (!isId('approval', held.approval.id)) throw new Error('Not held.');
    valueOf(await denyRequest(parts, await viewer('approver'), { approval: held.approval.id, code: 'not_wanted', reason: 'Not there.' }));
    const again = (await propose('/srv/report.txt', 'two')).body;
    expect(again).toMatchObject({ decision: 'DENY', state: 'denied', code: 'repeated_after_denial' });
    expect(again.guidance).toContain('Not there.');
    expect(again.reason).toContain(held.id);
    expect((await propose('/srv/other.txt', 'two')).body).toMatchObject({ state: 'held' });
    // Nor does it get through when no rule holds it any more: a person's word stands until the user says something else.
    await stage.changePolicy(planePolicy.replace(/(confirm-writes[^]*?)STEP_UP/, '$1ALLOW'));
    expect((await propose('/srv/report.txt', 'three')).body).toMatchObject({ code: 'repeated_after_denial' });
    expect((await propose('/srv/third.txt', 'three')).body).toMatchObject({ state: 'permitted' });
    await plane.call(plane.token('desk'), 'POST', `/v1/sessions/${session}/messages`, { text: 'Do write it there, please.' });
    expect((await propose('/srv/report.txt', 'four')).body).toMatchObject({ state: 'permitted' });
    await stage.changePolicy(planePolicy);
  });

  it('holds also for what cannot be compared with it any more', async () => {
    const session = await plane.openSession('Please write the report.');
    const propose = (path: string) => plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'files', operation: 'write', parameters: { path, content: 'x' } });
    const held = (await propose('/srv/report.txt')).body;
    if (!isId('approval', held.approval.id) || !isId('action', held.id)) throw new Error('Not held.');
    valueOf(await denyRequest(parts, await viewer('approver'), { approval: held.approval.id, code: 'not_wanted', reason: 'Not there.' }));
    const asked = (await parts.actions.find([held.id])).get(held.id)?.asked;
    const pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
    try {
      await pool.query("SET session_replication_role = 'replica'");
      expect((await pool.query('DELETE FROM "contents" WHERE "digest" = $1', [asked])).rowCount).toBe(1);
    } finally {
      await pool.end();
    }
    expect((await propose('/srv/other.txt')).body).toMatchObject({ decision: 'DENY', code: 'repeated_after_denial' });
  });

  it('wins or loses a race against approving as a whole: one end, and the loser is told', async () => {
    const { action, approval } = await hold();
    const envelope = await signedVote(await heldOf(approval), id('approver'), keys.approver);
    const [approved, denied] = await Promise.all([
      cast('approver', approval, envelope),
      denyRequest(parts, await viewer('second'), { approval, code: 'not_wanted', reason: 'No.' }),
    ]);
    expect([codeOf(approved), codeOf(denied)].toSorted()).toEqual(['already_resolved', 'ok']);
    const resolved = (await parts.log.search({ action, kind: 'approval_resolved' }, { limit: 10 })).rows;
    expect(resolved).toHaveLength(1);
  });
});

describe('what a person sees and takes back', () => {
  it('is never somebody else’s, unless it is routed to them', async () => {
    const { approval } = await hold();
    const nobody = { ...(await viewer('owner')), permissions: [], groups: [] };
    expect(codeOf(await approvalDetail(parts, nobody, approval))).toBe('not_found');
    const mine = valueOf(await queueView(parts, await viewer('requester'), { scope: 'own', state: 'waiting', sort: 'newest', limit: 50 }));
    expect(mine.items.map((item) => item.id)).toContain(approval);
    expect(mine.items.every(({ mine_to_decide }) => !mine_to_decide)).toBe(true);
  });

  it('pages through the queue without a gap or a repeat', async () => {
    await Promise.all([hold(), hold(), hold()]);
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = valueOf(await queueView(parts, await viewer('approver'), { scope: 'visible', state: 'all', sort: 'time_left', limit: 2, ...(after === undefined ? {} : { after }) }));
      seen.push(...page.items.map((item) => item.id));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    const { waiting, decided } = valueOf(await queueView(parts, await viewer('approver'), { scope: 'visible', state: 'all', sort: 'time_left', limit: 1 })).counts;
    expect(seen).toHaveLength(waiting + decided);
  });

  it('can be withdrawn by the person it is for, and by nobody else', async () => {
    const { action, approval } = await hold();
    expect(codeOf(await withdrawOwnAction(parts, await viewer('approver'), action))).toBe('not_found');
    valueOf(await withdrawOwnAction(parts, await viewer('requester'), action));
    expect((await parts.approvals.find(approval))?.state).toBe('withdrawn');
    expect(codeOf(await cast('approver', approval))).toBe('already_resolved');
  });
});
