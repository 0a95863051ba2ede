import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fsck } from '@/lib/db/fsck';
import { createPool } from '@/lib/db/pool';
import type { ApprovalId } from '@/lib/shared/ids';
import { startApprovalStage, type ApprovalStage } from '@/lib/testing/approval-stage';
import { changeRoster, codeOf, valueOf } from '@/lib/testing/console-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { verdictOfLog } from '@/lib/testing/verdict-of-log';

import { approvalDetail } from './console/views/approval-detail';
import { escalateRequests } from './escalate-request';
import { groupCommit } from './group-commit';
import type { NoticeParts } from './notices/notice-parts';
import { messagesOf } from './notices/messages-of';
import type { PlaneParts } from './plane-parts';

const policy = planePolicy
  .replace('tool: files, operation: write }\n    action: STEP_UP', 'tool: files, operation: write }\n    action: STEP_UP\n    escalate: { to: [backup], after: 3s }')
  .replace('quorum: 2', 'quorum: 1\n    timeout: 4h\n    escalate: { to: [backup], after: 1h }');

let stage: ApprovalStage;
let other: Awaited<ReturnType<ApprovalStage['plane']['another']>>;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  stage = await startApprovalStage(policy);
  await changeRoster(stage.parts, stage.owner, { kind: 'set_person', person: stage.id('second'), roles: ['approver'], groups: ['backup'] });
  other = await stage.plane.another();
  pool = createPool({ url: stage.plane.databaseUrl, max: 2, onIdleError: () => undefined });
}, 60_000);
afterAll(async () => {
  await pool.end();
  await other.stop();
  await stage.stop();
});

const askedBy = async (approval: ApprovalId) => (await stage.parts.approvals.find(approval))?.approvers;
const seenBy = async (who: string, approval: ApprovalId) => approvalDetail(stage.parts, await stage.viewer(who), approval);
const mailed = async (approval: ApprovalId, kind: 'held' | 'escalated') =>
  (await messagesOf({ ...stage.parts, notifiers: [{ channel: 'email' }], ends: false } as unknown as NoticeParts, { approval, kind, at: '' })).map(({ recipient }) => recipient);

describe('a request that nobody has decided in the time of its rule', () => {
  it('is put before the backup group once, by however many planes; they are told of it, see it and decide it', async () => {
    const { action, approval } = await stage.hold();
    expect(codeOf(await seenBy('second', approval))).toBe('not_found');
    expect(valueOf(await seenBy('approver', approval)).escalation).toMatchObject({ groups: ['backup'], done: false });
    await expect.poll(() => askedBy(approval), { timeout: 30_000 }).toEqual(['approver', 'backup']);
    const logged = (await stage.parts.log.search({ action, kind: 'approval_escalated' }, { limit: 9 })).rows;
    expect(logged).toHaveLength(1);
    expect(Date.parse(logged[0]?.at ?? '') - Date.parse((await stage.heldOf(approval)).held_at)).toBeGreaterThanOrEqual(3000);
    expect((await stage.plane.stores.notices.written(99)).filter((one) => one.approval === approval).map(({ kind }) => kind).sort()).toEqual(['escalated', 'held']);
    expect([await mailed(approval, 'escalated'), await mailed(approval, 'held')]).toEqual([[stage.id('second')], [stage.id('approver')]]);
    const detail = valueOf(await seenBy('second', approval));
    expect(detail).toMatchObject({ escalation: { groups: ['backup'], done: true }, viewer: { may_approve: true, may_deny: true } });
    expect(detail.approvers.map(({ person }) => person)).toEqual(expect.arrayContaining([stage.id('approver'), stage.id('second')]));
    expect(valueOf(await stage.cast('second', approval))).toMatchObject({ state: 'approved' });
    const { body } = await stage.plane.call(stage.plane.token('helper'), 'GET', `/v1/actions/${action}?wait=20`);
    expect(body).toMatchObject({ state: 'permitted' });
  }, 90_000);

  it('stays with whom it asks before that, though a clock runs a day ahead and its row says that the time has come', async () => {
    const { action, approval } = await stage.payment();
    const { rows } = await pool.query<{ at: Date }>('SELECT escalates_at AS at FROM approvals WHERE id = $1', [approval]);
    await pool.query('UPDATE approvals SET escalates_at = created_at WHERE id = $1', [approval]);
    const { parts, plane } = stage;
    const ahead = { now: () => new Date(Date.now() + 86_400_000 / 8).toISOString() };
    const keepers = [1, 2].map(() => ({ ...parts, authority: parts.inForce, proposing: { authority: parts.authority }, stores: plane.stores, reader: plane.stores.log, commits: groupCommit(plane.stores, null), clock: ahead }) as unknown as PlaneParts);
    expect(await parts.approvals.toEscalate(9)).toMatchObject([{ id: approval }]);
    await Promise.all(keepers.map((keeper) => escalateRequests(keeper, 9)));
    expect(await askedBy(approval)).toEqual(['approver']);
    expect((await parts.log.search({ action, kind: 'approval_escalated' }, { limit: 9 })).rows).toEqual([]);
    expect(codeOf(await stage.cast('second', approval))).toBe('not_found');
    await pool.query('UPDATE approvals SET escalates_at = $2 WHERE id = $1', [approval, rows[0]?.at]);
  }, 60_000);

  it('whom a row alone names is not asked', async () => {
    const { approval } = await stage.payment();
    await pool.query("UPDATE approvals SET approvers = approvers || '{backup}' WHERE id = $1", [approval]);
    expect(codeOf(await stage.cast('second', approval))).toBe('not_an_approver');
    await pool.query("UPDATE approvals SET approvers = '{approver}' WHERE id = $1", [approval]);
  });

  it('leaves a log and rows that check out, and a bundle that verifies', async () => {
    expect(await fsck(pool, stage.parts.workspace, [], { scope: 'all' })).toMatchObject({ ok: true });
    expect((await verdictOfLog(stage.parts, stage.plane.provisioned)).checks.filter(({ state }) => state === 'fail')).toEqual([]);
  });
});
