import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fsck } from '@/lib/db/fsck';
import { createPool } from '@/lib/db/pool';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';
import { callPlane, startTestPlane, type PlaneAnswer, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { revokeCredential } from '@/lib/services/console/revoke-credential';
import { throwSwitch } from '@/lib/services/console/throw-switch';

let plane: TestPlane;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
}, 60_000);
afterAll(async () => {
  await pool.end();
  await plane.stop();
});

/** What somebody with the database's password could do: triggers do not run for them. */
async function alter(sql: string, values: readonly unknown[]): Promise<void> {
  await pool.query("SET session_replication_role = 'replica'");
  const { rowCount } = await pool.query(sql, [...values]);
  expect(rowCount).toBeGreaterThan(0);
}

const propose = (session: string, tool: string, operation: string, parameters: object) =>
  plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters });
const redeem = (permit: string) => plane.call(plane.token('helper'), 'POST', `/v1/permits/${permit}/redeem`);
const note = async (text: string): Promise<PlaneAnswer['body']> => (await propose(await plane.openSession('Take a note.'), 'notes', 'write', { text })).body;

describe('a row that somebody altered loosens nothing', () => {
  it('an action that points to another content does not run', async () => {
    const [mine, other] = [await note('mine'), await note('other')];
    await alter('UPDATE actions SET effective_digest = (SELECT effective_digest FROM actions WHERE id = $2) WHERE id = $1', [mine.id, other.id]);
    expect(await redeem(mine.permit.id)).toMatchObject({ status: 503, body: { error: { code: 'ledger_broken' } } });
  });

  it('an altered content does not run', async () => {
    const mine = await note('mine');
    await alter(`UPDATE contents SET body = replace(body, 'mine', 'evil') WHERE digest = (SELECT effective_digest FROM actions WHERE id = $1)`, [mine.id]);
    expect((await redeem(mine.permit.id)).body).toMatchObject({ error: { code: 'not_found' } });
  });

  it('a permit is not kept alive by its row', async () => {
    const mine = await note('mine');
    await alter(`UPDATE actions SET permit_expires_at = permit_expires_at + interval '1 day' WHERE id = $1`, [mine.id]);
    expect((await redeem(mine.permit.id)).body).toMatchObject({ error: { code: 'ledger_broken' } });
  });

  it('a request that says it was approved, without votes, gets no permit', async () => {
    const session = await plane.openSession('Write the report.');
    const { body } = await propose(session, 'files', 'write', { path: 'a.txt', content: 'x' });
    await alter(`UPDATE approvals SET state = 'approved', resolved_at = now(), resolved_by = 'nobody' WHERE id = $1`, [body.approval.id]);
    await pool.query('SELECT pg_notify($1, $2)', [`countersign_${plane.workspace}`, JSON.stringify({ kind: 'approval_changed', id: body.approval.id })]);
    const ended = await plane.call(plane.token('helper'), 'GET', `/v1/actions/${body.id}?wait=10`);
    expect(ended.body).toMatchObject({ state: 'withdrawn', code: 'permit_stale' });
    expect(ended.body).not.toHaveProperty('permit');
  });

  it('a session that lost an entry is not decided in', async () => {
    const session = await plane.openSession('Look at the customers, then mail ann@partner.example.');
    expect((await propose(session, 'database', 'query', { query: 'SELECT * FROM customers' })).body.decision).toBe('ALLOW');
    await alter(`DELETE FROM context_entries WHERE session_id = $1 AND seq = 2`, [session]);
    await alter(`UPDATE sessions SET seq = 1, head = (SELECT hash FROM context_entries WHERE session_id = $1 AND seq = 1) WHERE id = $1`, [session]);
    const mail = await propose(session, 'email', 'send', { to: 'ann@partner.example', body: 'all of them' });
    expect(mail.body.decision).not.toBe('ALLOW');
    expect(mail.status).toBe(503);
  });

  it('a permit that was used is not made unused', async () => {
    const mine = await note('once');
    expect((await redeem(mine.permit.id)).status).toBe(200);
    await alter(`UPDATE actions SET state = 'permitted', redeemed_at = NULL, redeemed_by = NULL, outcome_due_at = NULL WHERE id = $1`, [mine.id]);
    expect(await redeem(mine.permit.id)).toMatchObject({ status: 409, body: { error: { code: 'permit_used' } } });
  });

  it('an action that was withdrawn does not run', async () => {
    const mine = await note('not any more');
    expect((await plane.call(plane.token('helper'), 'DELETE', `/v1/actions/${mine.id}`)).body.state).toBe('withdrawn');
    await alter(`UPDATE actions SET state = 'permitted', code = 'allowed' WHERE id = $1`, [mine.id]);
    expect(await redeem(mine.permit.id)).toMatchObject({ status: 409, body: { error: { code: 'permit_stale' } } });
  });

  it.each([
    ['of another human', `UPDATE sessions SET human = 'owner@harbor.example' WHERE id = $1`],
    ['of another agent', `UPDATE sessions SET agent_id = 'stranger' WHERE id = $1`],
    ['that was opened later', `UPDATE sessions SET opened_at = opened_at + interval '1 minute' WHERE id = $1`],
    ['that was used later', `UPDATE sessions SET last_at = last_at + interval '1 hour' WHERE id = $1`],
  ])('a session is not made one %s', async (_, sql) => {
    const session = await plane.openSession('Take a note.');
    await alter(sql, [session]);
    const other = await plane.another();
    try {
      for (const agent of ['helper', 'stranger']) {
        const answer = await callPlane(other.url, plane.token(agent), 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' } });
        expect(answer.status).toBe(503);
      }
    } finally {
      await other.stop();
    }
  });

  it('a session that was closed is not opened again', async () => {
    const session = await plane.openSession('Take a note.');
    expect((await plane.call(plane.token('desk'), 'DELETE', `/v1/sessions/${session}`)).body.state).toBe('closed');
    await alter(`UPDATE sessions SET state = 'open', closed_at = NULL WHERE id = $1`, [session]);
    expect((await propose(session, 'notes', 'write', { text: 'x' })).status).toBe(503);
  });

  it('a credential row of an orchestrator counts only when the signed roster lists its token', async () => {
    await alter(
      `INSERT INTO credentials (workspace_id, id, kind, subject, token_hash, scopes, created_by, expires_at)
       SELECT workspace_id, 'crd_aaaaaaaaaaaaaaaaaaaaaa', kind, 'forged', sha256('cso_forged_forged_forged_forged_forged'::bytea), scopes, created_by, expires_at
       FROM credentials WHERE kind = 'orchestrator' LIMIT 1`,
      [],
    );
    const opened = await plane.call('cso_forged_forged_forged_forged_forged', 'POST', '/v1/sessions', { human: 'requester@harbor.example', request: 'x', agent: 'helper' });
    expect(opened).toMatchObject({ status: 401, body: { error: { code: 'unauthenticated' } } });
  });

  it.each([
    ['action', 'action_id', 'permit_redeemed'],
    ['session', 'session_id', 'session_opened'],
    ['agent', 'agent_id', 'action_decided'],
  ])('a receipt that is hidden from its %s is found by fsck', async (name, column, kind) => {
    const mine = await note('hidden');
    await redeem(mine.permit.id);
    expect(await fsck(pool, plane.workspace)).toMatchObject({ ok: true });
    const { rows } = await pool.query(`SELECT max("index") AS "index", max(${column}) AS "value" FROM receipts WHERE "index" = (SELECT max("index") FROM receipts WHERE kind = $1)`, [kind]);
    await alter(`UPDATE receipts SET ${column} = NULL WHERE "index" = $1`, [rows[0].index]);
    try {
      expect(await fsck(pool, plane.workspace)).toMatchObject({ ok: false, fault: { what: 'columns', position: BigInt(rows[0].index), detail: expect.stringContaining(`column ${name}`) } });
    } finally {
      await alter(`UPDATE receipts SET ${column} = $2 WHERE "index" = $1`, [rows[0].index, rows[0].value]);
    }
  });

  it('a vouching credential is not renamed to a source that policy believes', async () => {
    await alter(`UPDATE credentials SET subject = 'desk' WHERE subject = 'records'`, []);
    await alter(`UPDATE ledger_heads SET epoch = epoch + 1`, []);
    const session = await plane.openSession('Take a note.');
    await propose(session, 'notes', 'write', { text: 'x' });
    const supplied = await plane.call(plane.token('records'), 'POST', `/v1/sessions/${session}/context`, { attributes: [{ subject: 'database:x', name: 'owner', value: 'x' }] });
    expect(supplied).toMatchObject({ status: 401, body: { error: { code: 'unauthenticated' } } });
  });

  it('a revoked credential is not revived, and a thrown switch is not released', async () => {
    const { parts, close } = await testConsole(plane);
    try {
      const admin = plane.personOf('admin');
      const gate = plane.provisioned.vouching.find(({ subject }) => subject === 'gate');
      if (!gate) throw new Error('No gate.');
      valueOf(await revokeCredential(parts, admin, gate.id));
      valueOf(await throwSwitch(parts, admin, { scope: 'tool', subject: 'notes', reason: 'Enough.' }));
    } finally {
      await close();
    }
    await alter(`UPDATE credentials SET revoked_at = NULL WHERE subject = 'gate'`, []);
    await alter(`DELETE FROM switches`, []);
    await alter(`UPDATE ledger_heads SET epoch = epoch + 1`, []);
    const other = await plane.another();
    try {
      const session = await plane.openSession('Take a note.');
      expect(await callPlane(other.url, plane.token('gate'), 'GET', '/v1/actions/act_0000000000000000000000')).toMatchObject({ status: 401, body: { error: { code: 'credential_revoked' } } });
      const noted = await callPlane(other.url, plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' } });
      expect(noted.body).toMatchObject({ decision: 'DENY', code: 'kill_switch' });
    } finally {
      await other.stop();
    }
  });

  it('an altered policy text is not used: the last good one goes on, and a new process denies everything', async () => {
    await alter(`UPDATE policy_revisions SET text = replace(text, 'action: DENY', 'action: ALLOW')`, []);
    await alter(`UPDATE ledger_heads SET epoch = epoch + 1`, []);
    const session = await plane.openSession('Drop everything.');
    expect((await propose(session, 'database', 'drop', { database: 'production' })).body).toMatchObject({ decision: 'DENY' });
    const other = await plane.another();
    const answer = await fetch(`${other.url}/readyz`);
    expect(await answer.json()).toMatchObject({ status: 'denying_all', code: 'rollback_detected' });
    await other.stop();
  });
});
