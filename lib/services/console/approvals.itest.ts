import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPool } from '@/lib/db/pool';
import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import type { SigningKey } from '@/lib/server/ed25519';
import { generateKey } from '@/lib/server/ed25519';
import { parseEnvelope, envelopeText } from '@/lib/shared/dsse';
import { isId, type ActionId, type ApprovalId, type PersonId } from '@/lib/shared/ids';
import { changeRoster, enrolled, signedVote, testConsole, unreadableReceipts, valueOf, viewerById } from '@/lib/testing/console-fixture';
import { startTestPlane, type PlaneAnswer, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

import { approveRequest } from './approve-request';
import type { ConsoleParts } from './console-parts';
import { denyRequest } from './deny-request';
import { proveApproved } from './prove-approved';
import { suspendPerson } from './suspend-person';
import { approvalDetail } from './views/approval-detail';
import { queueView } from './views/queue-view';
import { withdrawOwnAction } from './withdraw-action';

type Held = { readonly action: ActionId; readonly approval: ApprovalId };

let plane: TestPlane;
let parts: ConsoleParts;
let close: () => Promise<void>;
let owner: { readonly person: PersonId; readonly key: SigningKey };
let keys: { readonly approver: SigningKey; readonly second: SigningKey; readonly requester: SigningKey; readonly admin: SigningKey };

const id = (who: string): PersonId => {
  const person = plane.provisioned.people.get(`${who}@harbor.example`);
  if (!person) throw new Error(`No ${who}.`);
  return person;
};
const viewer = (who: string) => viewerById(parts, id(who));

async function hold(tool = 'files', operation = 'write', parameters: object = { path: '/srv/report.txt', content: 'text' }): Promise<Held> {
  const session = await plane.openSession('Please write the report.');
  const { body } = await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters });
  if (body.state !== 'held' || !isId('action', body.id) || !isId('approval', body.approval.id)) throw new Error(`Not held: ${JSON.stringify(body)}`);
  return { action: body.id, approval: body.approval.id };
}

const payment = () => hold('payments', 'transfer', { to: 'Varga', amount: 100, currency: 'EUR' });

async function heldOf(approval: ApprovalId) {
  const row = await parts.approvals.find(approval);
  return valueOf(parseHeldAction(JSON.parse(row?.held ?? '')));
}

const cast = async (who: 'approver' | 'second' | 'requester' | 'admin', approval: ApprovalId, envelope?: string) =>
  approveRequest(parts, await viewer(who), { approval, envelope: envelope ?? (await signedVote(await heldOf(approval), id(who), keys[who])) });

const codeOf = (result: { readonly ok: boolean; readonly error?: { readonly code: string } }) => (result.ok ? 'ok' : result.error?.code);

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  ({ parts, close } = await testConsole({ databaseUrl: plane.databaseUrl, workspace: plane.workspace, stateDirectory: plane.stateDirectory }));
  owner = { person: id('owner'), key: plane.owner };
  keys = {
    approver: await enrolled(parts, owner, id('approver')),
    second: await enrolled(parts, owner, id('second')),
    requester: await enrolled(parts, owner, id('requester')),
    admin: await enrolled(parts, owner, id('admin')),
  };
  // The requester and the agents' registrar are in the group, so that only separation of duties stands in their way.
  await changeRoster(parts, owner, { kind: 'set_person', person: id('requester'), roles: ['requester', 'approver'], groups: ['approver'] });
  await changeRoster(parts, owner, { kind: 'set_person', person: id('admin'), roles: ['admin', 'approver'], groups: ['approver'] });
});

afterAll(async () => {
  await close();
  await plane.stop();
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
    expect((await proveApproved(parts, await parts.inForce.refresh(), row)).ok).toBe(true);
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
      await parts.transactor.withHead((tx) => parts.people.suspend(tx, person, null));
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
    expect(codeOf(await proveApproved(parts, await parts.inForce.refresh(), altered))).toBe('ledger_broken');
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
    expect((await propose('/srv/report.txt', 'two')).body).toMatchObject({ decision: 'DENY', state: 'denied', code: 'repeated_after_denial' });
    expect((await propose('/srv/other.txt', 'two')).body).toMatchObject({ state: 'held' });
    await plane.call(plane.token('desk'), 'POST', `/v1/sessions/${session}/messages`, { text: 'Do write it there, please.' });
    expect((await propose('/srv/report.txt', 'three')).body).toMatchObject({ state: 'held' });
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

describe('every receipt that was written', () => {
  it('can be read back', async () => {
    expect((await parts.log.head()).size).toBeGreaterThan(20n);
    expect(await unreadableReceipts(parts)).toEqual([]);
  });
});
