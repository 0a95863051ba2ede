import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { LoweringStatement } from '@/lib/approvals/lowering';
import { entryHash } from '@/lib/context/entry-hash';
import type { ContextEntry } from '@/lib/context/entry';
import { stockCatalogue } from '@/lib/mediate/stock';
import { createPool } from '@/lib/db/pool';
import { generateKey } from '@/lib/server/ed25519';
import { exportBundle } from '@/lib/services/export-bundle';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { envelopePayload, parseEnvelope } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';
import type { Digest, SessionId } from '@/lib/shared/ids';
import { agentCalls } from '@/lib/testing/agent-calls';
import { startApprovalStage, type ApprovalStage } from '@/lib/testing/approval-stage';
import { changeRoster, codeOf, enrolled, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '@/lib/testing/node-crypto';
import { callPlane, type PlaneAnswer } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { sessionId, signedLowering, type Signing } from '@/lib/testing/signed-statements';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import { verifyBundle } from '@/lib/verify/verify-bundle';

import { lowerLabel } from './lower-label';
import { sessionLabels } from './session-labels';
import { suspendPerson } from './suspend-person';

let stage: ApprovalStage;
beforeAll(async () => {
  stage = await startApprovalStage(planePolicy);
}, 60_000);
afterAll(() => stage.stop());

const call = (token: string, method: string, path: string, body?: unknown) => stage.plane.call(stage.plane.token(token), method, path, body);
const { propose, run, openChild } = agentCalls(() => stage.plane);
const mailOut = async (session: string): Promise<PlaneAnswer['body']> => (await propose(session, 'email.send', { to: 'ann@partner.example', subject: 'Customers', body: 'As you asked.' })).body;
/** The agent has read the customers: permitted, run and reported. */
const readCustomers = (session: string) => run(session, 'database.query', { query: 'SELECT * FROM customers' }, 'none');
async function labelled(): Promise<SessionId> {
  const session = await stage.plane.openSession('Look at the customers, then mail ann@partner.example.');
  await readCustomers(session);
  return sessionId(session);
}
const statement = (session: SessionId, label = 'PII', to: string | null = null) => ({ session, label, to });
const sign = (wanted: ReturnType<typeof statement>, changes: Partial<LoweringStatement> = {}, signer: Signing = stage.owner) => signedLowering(stage.plane.stores.sessions, signer, wanted, changes);
const lower = async (session: SessionId, envelope: string, who = 'owner') => await lowerLabel(stage.parts, await stage.viewer(who), { session, envelope });
const labelsOf = (session: SessionId) => sessionLabels(stage.parts.sessions, session);
const size = async () => (await stage.parts.log.head()).size;

describe('a label that an owner lowered', () => {
  it('no longer speaks against what the session does, until something shows it again', async () => {
    const session = await labelled();
    expect(await mailOut(session)).toMatchObject({ decision: 'DENY', code: 'denied_by_context' });
    expect(valueOf(await lower(session, await sign(statement(session))))).toMatchObject({ label: 'PII', to: null });
    expect(await labelsOf(session)).not.toContain('PII');
    expect(await mailOut(session)).toMatchObject({ decision: 'ALLOW' });
    await readCustomers(session);
    expect(await labelsOf(session)).toContain('PII');
    expect(await mailOut(session)).toMatchObject({ decision: 'DENY' });
  });

  it('is lowered for this session alone', async () => {
    const [one, other] = [await labelled(), await labelled()];
    valueOf(await lower(one, await sign(statement(one))));
    expect(await mailOut(other)).toMatchObject({ decision: 'DENY' });
  });

  it('counts in a plane that reads the session for the first time', async () => {
    const session = await labelled();
    valueOf(await lower(session, await sign(statement(session))));
    const other = await stage.plane.another();
    try {
      const answer = await callPlane(other.url, stage.plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'email', operation: 'send', parameters: { to: 'ann@partner.example', body: 'x' } });
      expect(answer.body).toMatchObject({ decision: 'ALLOW' });
    } finally {
      await other.stop();
    }
  });

  it('as a level becomes the level that was named', async () => {
    const session = await labelled();
    expect(await labelsOf(session)).toContain('CONFIDENTIAL');
    valueOf(await lower(session, await sign(statement(session, 'CONFIDENTIAL', 'PUBLIC'))));
    expect(await labelsOf(session)).toEqual(['PII', 'PUBLIC']);
  });
});

describe('a lowering is refused, and leaves nothing behind,', () => {
  const refused: readonly [string, string, (session: SessionId) => Promise<string>, string?][] = [
    ['of a label that is not there', 'conflict', (session) => sign(statement(session, 'PHI'))],
    ['of a level to a higher one', 'invalid_input', (session) => sign(statement(session, 'CONFIDENTIAL', 'RESTRICTED'))],
    ['of a level to nothing', 'invalid_input', (session) => sign(statement(session, 'CONFIDENTIAL'))],
    ['of a tag to a level', 'invalid_input', (session) => sign(statement(session, 'PII', 'PUBLIC'))],
    ['without a reason', 'signature_invalid', (session) => sign(statement(session), { reason: ' ' })],
    ['signed long ago', 'conflict', (session) => sign(statement(session), { signed_at: '2026-01-01T00:00:00.000Z' })],
    ['signed for later', 'conflict', (session) => sign(statement(session), { signed_at: new Date(Date.now() + 3_600_000).toISOString() })],
    ['on an older state of the session', 'conflict', (session) => sign(statement(session), { context: { head: 'a'.repeat(64) as never, seq: 1 } })],
    ['under a person whose key did not sign', 'key_not_enrolled', (session) => sign(statement(session), {}, { person: stage.id('owner'), key: stage.keys.approver })],
    ['with a signature of another key under one’s own name', 'signature_invalid', async (session) => sign(statement(session), { signer: { person: stage.id('owner'), key: stage.owner.key.id, key_kind: 'file-ed25519' } }, { person: stage.id('owner'), key: stage.keys.approver })],
    ['under another kind of key than the roster says', 'signature_invalid', (session) => sign(statement(session), { signer: { person: stage.id('owner'), key: stage.owner.key.id, key_kind: 'passkey' } })],
    ['by an approver', 'forbidden', (session) => signedLowering(stage.plane.stores.sessions, { person: stage.id('approver'), key: stage.keys.approver, kind: 'browser-ed25519' }, statement(session)), 'approver'],
    ['that an owner signed and another sends', 'forbidden', (session) => sign(statement(session)), 'approver'],
  ];

  it.each(refused)('%s: %s', async (_name, code, envelope, who) => {
    const session = await labelled();
    const before = await size();
    expect(codeOf(await lower(session, await envelope(session), who))).toBe(code);
    expect(await labelsOf(session)).toContain('PII');
    expect(await size()).toBe(before);
  });

  it('when it was used before: replayed it is stale', async () => {
    const session = await labelled();
    const envelope = await sign(statement(session));
    valueOf(await lower(session, envelope));
    await readCustomers(session);
    expect(codeOf(await lower(session, envelope))).toBe('conflict');
    expect(await labelsOf(session)).toContain('PII');
  });

  it('when it is for another session', async () => {
    const [one, other] = [await labelled(), await labelled()];
    expect(codeOf(await lower(other, await sign(statement(one))))).toBe('conflict');
  });

  it('of two at once all but one: the other rests on a state that is gone', async () => {
    const session = await labelled();
    const envelopes = await Promise.all(['1', '2'].map((digit) => sign(statement(session), { nonce: digit.repeat(32) })));
    const codes = await Promise.all(envelopes.map(async (envelope) => codeOf(await lower(session, envelope))));
    expect(codes.sort()).toEqual(['conflict', 'ok']);
  });

  it('while an action is out that carries the label', async () => {
    const session = await labelled();
    await propose(session, 'database.query', { query: 'SELECT name FROM customers' });
    expect(codeOf(await lower(session, await sign(statement(session))))).toBe('conflict');
  });

  it('where the family’s other sessions have seen it', async () => {
    const parent = await labelled();
    const child = sessionId(await openChild(parent, 'desk', {}));
    expect(await labelsOf(child)).toContain('PII');
    await run(child, 'notes.write', { text: 'x' }, 'done');
    const result = await lower(parent, await sign(statement(parent)));
    expect(result).toMatchObject({ ok: false, error: { code: 'conflict', detail: expect.stringContaining('family') } });
  });

  it('in a session that has ended', async () => {
    const session = await labelled();
    await call('desk', 'DELETE', `/v1/sessions/${session}`);
    expect(codeOf(await lower(session, await sign(statement(session))))).toBe('session_closed');
  });

  it('by the owner whose session it is, by the one who registered the agent, and by one who is suspended', async () => {
    const session = await labelled();
    const browser = (who: 'requester' | 'admin') => ({ person: stage.id(who), key: stage.keys[who], kind: 'browser-ed25519' as const });
    await changeRoster(stage.parts, stage.owner, { kind: 'set_person', person: stage.id('requester'), roles: ['owner'], groups: [] });
    await changeRoster(stage.parts, stage.owner, { kind: 'set_person', person: stage.id('admin'), roles: ['owner', 'admin'], groups: [] });
    const second = await enrolled(stage.parts, stage.owner, stage.id('second'));
    await changeRoster(stage.parts, stage.owner, { kind: 'set_person', person: stage.id('second'), roles: ['owner'], groups: [] });
    expect(codeOf(await lower(session, await sign(statement(session), {}, browser('requester')), 'requester'))).toBe('separation_of_duties');
    expect(codeOf(await lower(session, await sign(statement(session), {}, browser('admin')), 'admin'))).toBe('separation_of_duties');
    const viewer = await stage.viewer('second');
    const envelope = await sign(statement(session), {}, { person: stage.id('second'), key: second, kind: 'browser-ed25519' });
    valueOf(await suspendPerson(stage.parts, stage.id('owner'), stage.id('second')));
    expect(codeOf(await lowerLabel(stage.parts, viewer, { session, envelope }))).toBe('forbidden');
    expect(await labelsOf(session)).toContain('PII');
  });
});

/** The log, or one session of it, as an auditor would check it. */
async function verified(session?: SessionId) {
  const { plane, parts } = stage;
  // A bundle goes as far as the newest checkpoint, which the plane signs within a second.
  const { size: all } = await parts.log.head();
  await expect.poll(async () => (await parts.log.latestCheckpoint())?.size ?? 0n, { timeout: 10_000 }).toBeGreaterThanOrEqual(all);
  const bundle = await exportBundle({ ...plane.stores, workspace: plane.workspace, sha256, signer: parts.signer, productVersion: 'test' }, { withhold: false, now: new Date().toISOString(), ...(session ? { session } : {}) });
  return await verifyBundle(valueOf(bundle).bytes, { sha256, verifySignature, root: plane.provisioned.fingerprint, rederive: rederiveWith(sha256, stockCatalogue(sha256)) });
}

it('what the log says of all this can be read back, and is verified and decided the same way again', async () => {
  expect(await unreadableReceipts(stage.parts)).toEqual([]);
  const report = await verified();
  expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
  expect(report.checks.find(({ id }) => id === 'statements')?.detail).toMatch(/Lowered labels: [1-9]/);
  expect(report.rederived.notes).toEqual([]);
});

describe('a lowering that its person never signed lowers nothing:', () => {
  const alter = async (sql: string, values: readonly unknown[]) => {
    const pool = createPool({ url: stage.plane.databaseUrl, max: 1, onIdleError: () => undefined });
    await pool.query("SET session_replication_role = 'replica'");
    const { rowCount } = await pool.query(sql, [...values]);
    await pool.end();
    expect(rowCount).toBeGreaterThan(0);
  };
  const step = async (session: SessionId, digest: string) => {
    const row = (await stage.parts.sessions.find([session])).get(session);
    if (!row) throw new Error('No session.');
    const entry: ContextEntry = { kind: 'lowering', at: new Date().toISOString(), label: 'PII', to: null, person: stage.id('owner'), statement: digest as Digest };
    const seq = row.seq + 1;
    return { row, entry, seq, hash: entryHash(sha256, row.head, entry, seq) };
  };
  const mailElsewhere = async (session: SessionId) => {
    const other = await stage.plane.another();
    try {
      return await callPlane(other.url, stage.plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'email', operation: 'send', parameters: { to: 'ann@partner.example', body: 'x' } });
    } finally {
      await other.stop();
    }
  };

  it('rows alone make the session unusable', async () => {
    const session = await labelled();
    const { entry, seq, hash } = await step(session, 'b'.repeat(64));
    await alter(`INSERT INTO context_entries (workspace_id, session_id, seq, hash, body) VALUES ($1, $2, $3, $4, $5)`, [stage.parts.workspace, session, seq, hash, canonicalJson(asJson(entry))]);
    await alter(`UPDATE sessions SET head = $2, seq = $3 WHERE id = $1`, [session, hash, seq]);
    expect((await mailElsewhere(session)).status).toBe(503);
    expect(codeOf(await lower(session, await sign(statement(session, 'CONFIDENTIAL', 'PUBLIC'))))).toBe('ledger_broken');
  });

  it.each([
    ['by an approver', async (session: SessionId) => await signedLowering(stage.plane.stores.sessions, { person: stage.id('approver'), key: stage.keys.approver, kind: 'browser-ed25519' }, statement(session))],
    ['by a key that nobody enrolled', async (session: SessionId) => await sign(statement(session), {}, { person: stage.id('owner'), key: generateKey() })],
    ['over another label', async (session: SessionId) => await sign(statement(session, 'PHI'))],
    ['on another state of the session', async (session: SessionId) => await sign(statement(session), { context: { head: 'a'.repeat(64) as Digest, seq: 2 } })],
  ])('the console’s own key cannot make one that is signed %s: neither the plane nor a verifier takes it', async (_name, envelopeOf) => {
    const session = await labelled();
    const envelope = valueOf(parseEnvelope(await envelopeOf(session)));
    const digest = digestOf(sha256, envelopePayload(envelope) ?? new Uint8Array());
    const { row, entry, seq, hash } = await step(session, digest);
    const { parts } = stage;
    await parts.transactor.withHead(async (tx) => {
      const body = { session, label: 'PII', to: null, person: stage.id('owner'), reason: 'Forged.', statement: { digest, envelope, key: { id: stage.owner.key.id, kind: 'file-ed25519' } }, context_head: hash, context_seq: seq } as const;
      await parts.ledger.append(tx, [await parts.sign('label_lowered', entry.at, body, { session, agent: row.agent })]);
      await parts.sessions.addEntries(tx, [{ session, seq, hash, entry }]);
      await parts.sessions.moveHeads(tx, [{ session, from: row.head, to: hash, seq, at: entry.at }]);
    });
    expect((await mailElsewhere(session)).status).toBe(503);
    expect((await mailOut(session)).decision).not.toBe('ALLOW');
    expect((await verified(session)).checks.find(({ id }) => id === 'statements')).toMatchObject({ state: 'fail' });
  });
});
