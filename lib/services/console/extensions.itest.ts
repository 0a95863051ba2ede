import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { signExtension } from '@/lib/approvals/extension';
import { latestEnd } from '@/lib/approvals/pending-approval';
import { fsck } from '@/lib/db/fsck';
import { createPool } from '@/lib/db/pool';
import { envelopeText } from '@/lib/shared/dsse';
import { isId, type ActionId, type ApprovalId } from '@/lib/shared/ids';
import { startApprovalStage, type ApprovalStage, type Voter } from '@/lib/testing/approval-stage';
import { codeOf, signedVote, valueOf } from '@/lib/testing/console-fixture';
import { expireRequests } from '@/lib/services/end-waiting';
import { groupCommit } from '@/lib/services/group-commit';
import type { PlaneParts } from '@/lib/services/plane-parts';

import { approveRequest } from './approve-request';
import { denyRequest } from './deny-request';
import { extendRequest } from './extend-request';
import { approvalDetail } from './views/approval-detail';

let stage: ApprovalStage;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  stage = await startApprovalStage();
  pool = createPool({ url: stage.plane.databaseUrl, max: 2, onIdleError: () => undefined });
}, 60_000);
afterAll(async () => {
  await pool.end();
  await stage.stop();
});

const endOf = async (approval: ApprovalId) => (await stage.parts.approvals.find(approval))?.expires_at ?? '';
const plus = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();

async function signed(who: Voter, approval: ApprovalId, until: string): Promise<string> {
  const row = await stage.parts.approvals.find(approval);
  if (!row) throw new Error('No row.');
  return envelopeText(await signExtension({ request: approval, basis_digest: row.basis_digest, person: stage.id(who), expires_at: until }, new Date().toISOString(), stage.keys[who].signer));
}
const extend = async (who: Voter, approval: ApprovalId, until: string, parts = stage.parts) =>
  extendRequest(parts, await stage.viewer(who), { approval, envelope: await signed(who, approval, until) });

const vote = async (approval: ApprovalId) => signedVote(await stage.heldOf(approval), stage.id('approver'), stage.keys.approver);

/** The console, with the database's clock at another time. */
const at = (now: string): ApprovalStage['parts'] => ({
  ...stage.parts,
  reads: { ...stage.parts.reads, now: async () => now },
  transactor: { ...stage.parts.transactor, withHead: (work) => stage.parts.transactor.withHead((tx, head) => work(tx, { ...head, now })) },
});

describe('a signed extension', () => {
  it('moves the end for the timekeeper, the agent and the screen, leaves the votes, and has a receipt', async () => {
    const { action, approval } = await stage.payment();
    const first = await endOf(approval);
    valueOf(await stage.cast('approver', approval));
    const until = plus(first, 60_000);
    expect(valueOf(await extend('second', approval, until))).toMatchObject({ expires_at: until });
    expect(await endOf(approval)).toBe(until);
    const { body } = await stage.plane.call(stage.plane.token('helper'), 'GET', `/v1/actions/${action}`);
    expect(body).toMatchObject({ state: 'held', approval: { expires_at: until, quorum: { given: 1 } } });
    const detail = valueOf(await approvalDetail(stage.parts, await stage.viewer('second'), approval));
    expect(detail).toMatchObject({ expires_at: until, extensions: [{ by_name: 'Bea Second', expires_at: until }], viewer: { may_extend: true } });
    expect((await stage.parts.log.search({ action, kind: 'approval_extended' }, { limit: 9 })).rows).toHaveLength(1);
    expect(valueOf(await stage.cast('second', approval))).toMatchObject({ state: 'approved', quorum: { given: 2 } });
    const permitted = await stage.plane.call(stage.plane.token('helper'), 'GET', `/v1/actions/${action}?wait=20`);
    expect(permitted.body).toMatchObject({ state: 'permitted' });
  }, 60_000);

  it('lets votes count between the old end and the new one, and no longer', async () => {
    const { approval } = await stage.hold();
    const first = await endOf(approval);
    const until = plus(first, 60_000);
    valueOf(await extend('approver', approval, until));
    const cast = async (now: string) => approveRequest(at(now), await stage.viewer('approver'), { approval, envelope: await vote(approval) });
    expect(codeOf(await cast(until))).toBe('approval_expired');
    expect(codeOf(await denyRequest(at(until), await stage.viewer('second'), { approval, code: 'not_wanted', reason: 'No.' }))).toBe('approval_expired');
    expect(codeOf(await cast(plus(first, 1)))).toBe('ok');
  });

  it.each<[string, Voter, (first: string, latest: string) => string, string]>([
    ['beyond twice the first time', 'approver', (_, latest) => plus(latest, 1), 'invalid_input'],
    ['to an earlier end', 'approver', (first) => plus(first, -1), 'invalid_input'],
    ['by the person whom the agent acts for', 'requester', (first) => plus(first, 1), 'separation_of_duties'],
    ['by whoever registered the agent', 'admin', (first) => plus(first, 1), 'separation_of_duties'],
  ])('%s is refused, and nothing changes', async (_what, who, until, code) => {
    const { action, approval } = await stage.hold();
    const held = await stage.heldOf(approval);
    expect(codeOf(await extend(who, approval, until(held.expires_at, latestEnd(held, held.held_at))))).toBe(code);
    expect(await endOf(approval)).toBe(held.expires_at);
    expect((await stage.parts.log.search({ action, kind: 'approval_extended' }, { limit: 9 })).rows).toEqual([]);
  });

  it('counts only from the session of the person who signed it, only once, and not after the end', async () => {
    const { approval } = await stage.hold();
    const first = await endOf(approval);
    const envelope = await signed('approver', approval, plus(first, 1000));
    expect(codeOf(await extendRequest(stage.parts, await stage.viewer('second'), { approval, envelope }))).toBe('signature_invalid');
    expect(codeOf(await extendRequest(at(first), await stage.viewer('approver'), { approval, envelope }))).toBe('approval_expired');
    expect(codeOf(await extendRequest(stage.parts, await stage.viewer('approver'), { approval, envelope }))).toBe('ok');
    expect(codeOf(await extendRequest(stage.parts, await stage.viewer('approver'), { approval, envelope }))).toBe('invalid_input');
  });

  it('loses to whoever ended the request before, and is told so', async () => {
    const { approval } = await stage.hold();
    const envelope = await signed('approver', approval, plus(await endOf(approval), 1000));
    valueOf(await denyRequest(stage.parts, await stage.viewer('second'), { approval, code: 'not_wanted', reason: 'No.' }));
    const late = await extendRequest(stage.parts, await stage.viewer('approver'), { approval, envelope });
    expect(late).toMatchObject({ ok: false, error: { code: 'already_resolved', detail: expect.stringContaining('Bea Second') } });
  });

  it('wins or loses as a whole against another one and a vote at the same time', async () => {
    const { action, approval } = await stage.payment();
    const first = await endOf(approval);
    const [one, other, voted] = await Promise.all([extend('approver', approval, plus(first, 1000)), extend('second', approval, plus(first, 2000)), stage.cast('approver', approval)]);
    expect([codeOf(other), codeOf(voted)]).toEqual(['ok', 'ok']);
    expect(['ok', 'invalid_input']).toContain(codeOf(one));
    expect(await endOf(approval)).toBe(plus(first, 2000));
    expect((await stage.parts.log.search({ action, kind: 'approval_extended' }, { limit: 9 })).rows).toHaveLength(one.ok ? 2 : 1);
  });

  it('gives as much time to what waits behind it, one behind another', async () => {
    const { action, approval } = await stage.hold();
    const session = (await stage.parts.actions.find([action])).get(action)?.session;
    const behind = async (ahead: string): Promise<ActionId> => {
      const { body } = await stage.plane.call(stage.plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'files', operation: 'write', parameters: { path: `/srv/${ahead}.txt`, content: 'x' }, depends_on: [ahead] });
      const id: unknown = body.id;
      if (body.state !== 'deferred' || typeof id !== 'string' || !isId('action', id)) throw new Error(`Not deferred: ${JSON.stringify(body)}`);
      return id;
    };
    const next = await behind(action);
    const waiting = [next, await behind(next)];
    const ends = async () => (await stage.parts.approvals.deferralsOf(waiting)).map((row) => row.expires_at).sort();
    const before = await ends();
    valueOf(await extend('approver', approval, plus(await endOf(approval), 60_000)));
    expect(await ends()).toEqual(before.map((end) => plus(end, 60_000)));
  });

  it('counts from the first of its line: what took the place of a stale one gains no time of its own by it', async () => {
    const { action, approval } = await stage.payment();
    const held = await stage.heldOf(approval);
    const latest = latestEnd(held, held.held_at);
    const until = plus(latest, -60_000);
    valueOf(await extend('approver', approval, until));
    const session = (await stage.parts.actions.find([action])).get(action)?.session;
    await stage.plane.call(stage.plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'database', operation: 'query', parameters: { query: 'SELECT name FROM customers' } });
    const now = async () => (await stage.parts.approvals.ofAction(action))?.id ?? approval;
    await expect.poll(now, { timeout: 20_000 }).not.toBe(approval);
    const anew = await now();
    expect(await endOf(anew)).toBe(until);
    expect(valueOf(await approvalDetail(stage.parts, await stage.viewer('approver'), anew))).toMatchObject({ ends_by: latest, extensions: [] });
    expect(codeOf(await extend('approver', anew, plus(latest, 1)))).toBe('invalid_input');
    expect(valueOf(await extend('approver', anew, latest))).toMatchObject({ expires_at: latest });
  }, 60_000);

  it('is not believed from a row: without a receipt, votes after the first end do not count', async () => {
    const { approval } = await stage.hold();
    const first = await endOf(approval);
    await pool.query('UPDATE approvals SET expires_at = $2 WHERE id = $1', [approval, plus(first, 60_000)]);
    try {
      expect(codeOf(await approveRequest(at(first), await stage.viewer('approver'), { approval, envelope: await vote(approval) }))).toBe('approval_expired');
      expect(await fsck(pool, stage.parts.workspace, [], { scope: 'all' })).toMatchObject({ ok: false, fault: { what: 'row' } });
    } finally {
      await pool.query('UPDATE approvals SET expires_at = $2 WHERE id = $1', [approval, first]);
    }
  });

  it('keeps a request open for a timekeeper that found it due before, or whose clock runs ahead; what has expired ends once, by however many', async () => {
    const { parts, plane } = stage;
    const [open, over] = [await stage.hold(), await stage.hold()];
    const keepers = (ahead: number) => [1, 2].map(() => ({ ...parts, stores: plane.stores, reader: plane.stores.log, commits: groupCommit(plane.stores, null), clock: { now: () => plus(new Date().toISOString(), ahead) } }) as unknown as PlaneParts);
    const expire = async (approval: ApprovalId, ahead: number) => {
      const row = await parts.approvals.find(approval);
      const fault = (cause: unknown) => { throw cause; };
      return row ? await Promise.all(keepers(ahead).map((keeper) => expireRequests(keeper, [row], fault))) : [];
    };
    expect(await expire(open.approval, 86_400_000)).toEqual([0, 0]);
    expect((await parts.approvals.find(open.approval))?.state).toBe('pending');
    await pool.query('UPDATE approvals SET expires_at = created_at WHERE id = $1', [over.approval]);
    const ended = await expire(over.approval, 0);
    // The plane of this stage keeps time too, and may have been faster than both.
    expect(ended.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1);
    await expect.poll(async () => String((await parts.approvals.find(over.approval))?.state), { timeout: 20_000 }).toBe('expired');
    expect((await parts.log.search({ action: over.action, kind: 'approval_resolved' }, { limit: 9 })).rows).toHaveLength(1);
    await pool.query('UPDATE approvals SET expires_at = $2 WHERE id = $1', [over.approval, (await stage.heldOf(over.approval)).expires_at]);
  }, 60_000);

  it('leaves a log and rows that check out', async () => {
    expect(await fsck(pool, stage.parts.workspace, [], { scope: 'all' })).toMatchObject({ ok: true });
  });
});
