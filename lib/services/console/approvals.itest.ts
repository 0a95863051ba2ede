import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPool } from '@/lib/db/pool';
import { generateKey } from '@/lib/server/ed25519';
import { parseEnvelope, envelopeText } from '@/lib/shared/dsse';
import type { ApprovalId } from '@/lib/shared/ids';
import { startApprovalStage, type ApprovalStage } from '@/lib/testing/approval-stage';
import { changeRoster, codeOf, signedVote, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import type { PlaneAnswer } from '@/lib/testing/plane-fixture';

import { approveRequest } from './approve-request';
import { denyRequest } from './deny-request';
import { proveApproved } from './prove-approved';
import { suspendPerson } from './suspend-person';
import { approvalDetail } from './views/approval-detail';

let stage: ApprovalStage;
let plane: ApprovalStage['plane'];
let parts: ApprovalStage['parts'];
let keys: ApprovalStage['keys'];
let id: ApprovalStage['id'];
let viewer: ApprovalStage['viewer'];
let hold: ApprovalStage['hold'];
let payment: ApprovalStage['payment'];
let heldOf: ApprovalStage['heldOf'];
let cast: ApprovalStage['cast'];

beforeAll(async () => {
  stage = await startApprovalStage();
  ({ plane, parts, keys, id, viewer, hold, payment, heldOf, cast } = stage);
}, 60_000);

afterAll(async () => {
  await stage.stop();
});

describe('a signed approval', () => {
  it('gives the waiting agent its permit, and both steps their receipts', async () => {
    const { action, approval } = await hold();
    const waiting = plane.call(plane.token('helper'), 'GET', `/v1/actions/${action}?wait=10`);
    const outcome = valueOf(await cast('approver', approval));
    expect(outcome).toMatchObject({ state: 'approved', quorum: { needed: 1, given: 1 } });
    let seen = (await waiting).body;
    if (seen.state === 'held') seen = (await plane.call(plane.token('helper'), 'GET', `/v1/actions/${action}?wait=10`)).body;
    expect(seen).toMatchObject({ state: 'permitted', decision: 'STEP_UP' });
    const kinds = (await parts.log.search({ action }, { limit: 20 })).rows.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['approval_requested', 'approval_voted', 'approval_resolved', 'permit_issued']));
    const row = await parts.approvals.find(approval);
    if (!row) throw new Error('The request is gone.');
    expect((await proveApproved({ ...parts, rosters: parts.authority }, await parts.inForce.refresh(), row)).ok).toBe(true);
  });

  it('is shown with the view that it covers', async () => {
    const { approval } = await hold();
    const detail = valueOf(await approvalDetail(parts, await viewer('approver'), approval));
    expect(detail.viewer).toMatchObject({ may_approve: true, obstacle: null, may_deny: true });
    expect(detail.excluded).toEqual(expect.arrayContaining([id('requester'), id('admin')]));
    expect(detail.basis_digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('of critical impact, or where a rule asks for two, needs two people', async () => {
    const { approval } = await payment();
    expect(valueOf(await cast('approver', approval))).toMatchObject({ state: 'pending', quorum: { needed: 2, given: 1 } });
    expect(codeOf(await cast('approver', approval))).toBe('already_voted');
    expect(valueOf(await cast('second', approval))).toMatchObject({ state: 'approved', quorum: { needed: 2, given: 2 } });
  });

  it('counts no more once its voter is suspended', async () => {
    const person = id('second');
    const { approval } = await payment();
    valueOf(await cast('second', approval));
    valueOf(await suspendPerson(parts, id('owner'), person));
    try {
      expect(valueOf(await cast('approver', approval))).toMatchObject({ state: 'pending', quorum: { needed: 2, given: 1 } });
    } finally {
      await changeRoster(parts, stage.owner, { kind: 'restore_person', person });
    }
  });
});

describe('an approval is refused', () => {
  it('from the person the agent acts for, by key, by session and under another’s name', async () => {
    const { approval } = await hold();
    const held = await heldOf(approval);
    expect(codeOf(await cast('requester', approval))).toBe('separation_of_duties');
    // Signed by an approver's stolen envelope, sent from the requester's session.
    expect(codeOf(await approveRequest(parts, await viewer('requester'), { approval, envelope: await signedVote(held, id('approver'), keys.approver) }))).toBe('signature_invalid');
    // The requester's key under the approver's name.
    expect(codeOf(await approveRequest(parts, await viewer('requester'), { approval, envelope: await signedVote(held, id('approver'), keys.requester) }))).toBe('key_not_enrolled');
    expect((await parts.approvals.find(approval))?.state).toBe('pending');
  });

  it('from whoever registered the agent', async () => {
    expect(codeOf(await cast('admin', (await hold()).approval))).toBe('separation_of_duties');
  });

  it('when it was signed for another action', async () => {
    const [one, other] = [await hold(), await hold()];
    const envelope = await signedVote(await heldOf(other.approval), id('approver'), keys.approver);
    expect(codeOf(await cast('approver', one.approval, envelope))).toBe('approval_stale');
    const forged = await signedVote(await heldOf(other.approval), id('approver'), keys.approver, { request: one.approval });
    expect(codeOf(await cast('approver', one.approval, forged))).toBe('approval_stale');
  });

  it('when one bit of its signature, or one word of its statement, differs', async () => {
    const { approval } = await hold();
    const envelope = valueOf(parseEnvelope(await signedVote(await heldOf(approval), id('approver'), keys.approver)));
    const [signature] = envelope.signatures;
    if (!signature) throw new Error('Unsigned.');
    const flipped = Buffer.from(signature.sig, 'base64');
    flipped.writeUInt8(flipped.readUInt8(3) ^ 1, 3);
    const tampered = envelopeText({ ...envelope, signatures: [{ ...signature, sig: flipped.toString('base64') }] });
    expect(codeOf(await cast('approver', approval, tampered))).toBe('signature_invalid');
    const text = Buffer.from(envelope.payload, 'base64').toString().replace('Looked at it.', 'Looked at it!');
    expect(codeOf(await cast('approver', approval, envelopeText({ ...envelope, payload: Buffer.from(text).toString('base64') })))).toBe('signature_invalid');
  });

  it('from a key that the roster does not list', async () => {
    const { approval } = await hold();
    expect(codeOf(await cast('approver', approval, await signedVote(await heldOf(approval), id('approver'), generateKey())))).toBe('key_not_enrolled');
  });

  it('when the request has expired by the database’s clock, however late the timekeeper is', async () => {
    const { approval } = await hold();
    const row = await parts.approvals.find(approval);
    const late = { ...parts, transactor: { ...parts.transactor, withHead: <T>(work: Parameters<typeof parts.transactor.withHead<T>>[0]) => parts.transactor.withHead<T>((tx, head) => work(tx, { ...head, now: row?.expires_at ?? '' })) } };
    const envelope = await signedVote(await heldOf(approval), id('approver'), keys.approver);
    expect(codeOf(await approveRequest(late, await viewer('approver'), { approval, envelope }))).toBe('approval_expired');
  });

  it('when the request was denied before, saying by whom', async () => {
    const { action, approval } = await hold();
    const envelope = await signedVote(await heldOf(approval), id('approver'), keys.approver);
    valueOf(await denyRequest(parts, await viewer('second'), { approval, code: 'untrusted_value', reason: 'Ask Rita first.' }));
    const late = await cast('approver', approval, envelope);
    expect(codeOf(late)).toBe('already_resolved');
    expect(late.ok ? '' : late.error.detail).toContain('Bea Second');
    const { body } = await plane.call(plane.token('helper'), 'GET', `/v1/actions/${action}`);
    expect(body).toMatchObject({ state: 'denied', code: 'approval_denied' });
    expect(body.guidance).toContain('Ask Rita first.');
  });

  it('when the row was rewritten to ask for less than its receipt states', async () => {
    const { approval } = await payment();
    const row = await parts.approvals.find(approval);
    if (!row) throw new Error('No row.');
    const held = { ...(await heldOf(approval)), approvers: { groups: ['approver'], all_groups: false, quorum: 1, separation: true } };
    const { basisDigest } = await import('@/lib/approvals/basis');
    const { canonicalJson } = await import('@/lib/shared/canonical-json');
    const lowered = { ...row, quorum: 1, held: canonicalJson(held), basis_digest: basisDigest(held, parts.cryptography.sha256) };
    const altered = { ...parts, approvals: { ...parts.approvals, find: async () => lowered } };
    const envelope = await signedVote(held, id('approver'), keys.approver);
    expect(codeOf(await approveRequest(altered, await viewer('approver'), { approval, envelope }))).toBe('ledger_broken');
  });
});

describe('a row that somebody sets back', () => {
  const alter = async (sql: string, values: readonly unknown[]): Promise<void> => {
    const pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
    try {
      await pool.query("SET session_replication_role = 'replica'");
      expect((await pool.query(sql, [...values])).rowCount).toBe(1);
    } finally {
      await pool.end();
    }
  };
  const notice = (approval: ApprovalId) => parts.transactor.withHead((tx) => parts.events.publish(tx, [{ kind: 'approval_changed', id: approval }]));

  it('does not make a denied request approvable', async () => {
    const { action, approval } = await hold();
    valueOf(await denyRequest(parts, await viewer('second'), { approval, code: 'not_wanted', reason: 'No.' }));
    await alter(`UPDATE approvals SET state = 'pending', resolved_at = NULL, resolved_by = NULL WHERE id = $1`, [approval]);
    await alter(`UPDATE actions SET state = 'held' WHERE id = $1`, [action]);
    expect(codeOf(await cast('approver', approval))).toBe('ledger_broken');
  });

  it('does not make a vote that came too late one in time', async () => {
    const { action, approval } = await hold();
    const envelope = await signedVote(await heldOf(approval), id('approver'), keys.approver);
    await alter(
      `INSERT INTO votes (workspace_id, approval_id, person_id, verdict, envelope, statement, key_id, key_kind, at) VALUES ($1, $2, $3, 'approve', $4, '{}', $5, 'browser-ed25519', now())`,
      [parts.workspace, approval, id('approver'), envelope, keys.approver.id],
    );
    await alter(`UPDATE approvals SET state = 'approved', resolved_at = created_at, resolved_by = $2 WHERE id = $1`, [approval, id('approver')]);
    const altered = await parts.approvals.find(approval);
    if (!altered) throw new Error('No row.');
    expect(codeOf(await proveApproved({ ...parts, rosters: parts.authority }, await parts.inForce.refresh(), altered))).toBe('ledger_broken');
    await notice(approval);
    const { body } = await plane.call(plane.token('helper'), 'GET', `/v1/actions/${action}?wait=10`);
    expect(body).not.toHaveProperty('permit');
  });

  it('gets no second permit for one approval', async () => {
    const { action, approval } = await hold();
    const state = async (): Promise<PlaneAnswer['body']> => (await plane.call(plane.token('helper'), 'GET', `/v1/actions/${action}?wait=10`)).body;
    valueOf(await cast('approver', approval));
    const first = await state();
    expect((await plane.call(plane.token('helper'), 'POST', `/v1/permits/${first.permit.id}/redeem`)).status).toBe(200);
    await alter(`UPDATE actions SET state = 'held', permit_id = NULL, permit_expires_at = NULL, permit_receipt = NULL, permit_epoch = NULL, permit_head = NULL, redeemed_at = NULL WHERE id = $1`, [action]);
    await notice(approval);
    expect(await state()).toMatchObject({ state: 'withdrawn', code: 'permit_stale' });
    expect((await parts.log.search({ action, kind: 'permit_issued' }, { limit: 10 })).rows).toHaveLength(1);
  });
});

describe('every receipt that was written', () => {
  it('can be read back', async () => {
    expect((await parts.log.head()).size).toBeGreaterThan(20n);
    expect(await unreadableReceipts(parts)).toEqual([]);
  });
});
