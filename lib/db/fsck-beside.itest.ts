import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import { approveRequest } from '@/lib/services/console/approve-request';
import { denyRequest } from '@/lib/services/console/deny-request';
import type { ApprovalId } from '@/lib/shared/ids';
import { enrolled, signedVote, testConsole, valueOf, viewerById } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

import { fsck } from './fsck';
import type { LogFault } from './fsck-fault';
import { createPool } from './pool';

let plane: TestPlane;
let pool: pg.Pool;

/** A session with an action that ran, one that a person approved, one that a person denied, and one that waits for a fact. */
beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  pool = createPool({ url: plane.databaseUrl, max: 3, onIdleError: () => undefined });
  const session = await plane.openSession('Write a report, and delete the test data.');
  const propose = (tool: string, operation: string, parameters: object) =>
    plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters });
  const note = await propose('notes', 'write', { text: 'start' });
  await plane.call(plane.token('gate'), 'POST', `/v1/permits/${note.body.permit.id}/redeem`);
  await plane.call(plane.token('gate'), 'POST', `/v1/actions/${note.body.id}/outcome`, { status: 'succeeded', output: 'written' });
  const { parts, close } = await testConsole(plane);
  const [owner, approver] = [plane.personOf('owner'), plane.personOf('approver')];
  const key = await enrolled(parts, { person: owner, key: plane.owner }, approver);
  const viewer = await viewerById(parts, approver);
  const first = await propose('files', 'write', { path: 'report.txt', content: 'numbers' });
  const approval = first.body.approval.id as ApprovalId;
  const held = valueOf(parseHeldAction(JSON.parse((await parts.approvals.find(approval))?.held ?? '')));
  valueOf(await approveRequest(parts, viewer, { approval, envelope: await signedVote(held, approver, key) }));
  const second = await propose('files', 'write', { path: 'other.txt', content: 'x' });
  valueOf(await denyRequest(parts, viewer, { approval: second.body.approval.id, code: 'not_wanted', reason: 'Not this one.' }));
  await propose('database', 'delete', { table: 'test_data', where: 'age > 1' });
  await close();
}, 60_000);
afterAll(async () => {
  await pool.end();
  await plane.stop();
});

const tables = ['receipts', 'contents', 'context_entries', 'sessions', 'actions', 'approvals', 'votes', 'deferrals'];

/** Damages the database as its owner can, gives the report, and puts everything back. */
async function afterDamage(sql: string): Promise<LogFault | 'nothing found'> {
  const client = await pool.connect();
  try {
    await client.query(`SET session_replication_role = replica`);
    for (const table of tables) await client.query(`CREATE TEMP TABLE "kept_${table}" AS TABLE "${table}"`);
    const { rowCount } = await client.query(sql);
    if (rowCount === 0) throw new Error('Nothing was damaged.');
    const report = await fsck(pool, plane.workspace, [], { scope: 'all' });
    return report.ok ? 'nothing found' : report.fault;
  } finally {
    for (const table of tables) await client.query(`TRUNCATE "${table}"; INSERT INTO "${table}" SELECT * FROM "kept_${table}"`);
    client.release(true);
  }
}

const indexOf = async (kind: string): Promise<bigint> => (await plane.stores.log.search({ kind: kind as 'approval_voted' }, { limit: 100 })).rows.at(-1)?.index ?? -1n;

describe('fsck of what is stored beside the log', () => {
  test('a plane’s own database passes', async () => {
    const seen: number[] = [];
    expect(await fsck(pool, plane.workspace, [], { scope: 'all', onProgress: (checked) => seen.push(checked) })).toMatchObject({ ok: true });
    expect(seen.at(-1)).toBe(Number((await plane.stores.log.head()).size));
  });

  test.each<[string, string, LogFault['what']]>([
    ['a content whose text was changed', `UPDATE contents SET body = '"other"' WHERE body = '"written"'`, 'content'],
    ['a content whose salt was changed', `UPDATE contents SET salt = (SELECT salt FROM contents WHERE body <> '"written"' LIMIT 1) WHERE body = '"written"'`, 'content'],
    ['a step of a session whose text was changed', `UPDATE context_entries SET body = replace(body, 'Write a report', 'Delete a report') WHERE seq = 1`, 'context'],
    ['a last step that was deleted', `DELETE FROM context_entries WHERE seq = (SELECT max(seq) FROM context_entries)`, 'row'],
    ['a session with another head', `UPDATE sessions SET head = repeat('0', 64)`, 'context'],
    ['a session that no receipt opened', `INSERT INTO sessions (workspace_id, id, human, service, agent_id, state, opened_at, began_at, last_at, head, seq) SELECT workspace_id, id || 'x', human, service, agent_id, 'closed', opened_at, began_at, last_at, head, 0 FROM sessions`, 'context'],
  ])('finds %s', async (_damage, sql, what) => {
    expect(await afterDamage(sql)).toMatchObject({ what });
  });

  test.each<[string, string, LogFault['what'], string]>([
    ['a content that is gone without a receipt', `DELETE FROM contents WHERE body = '"written"'`, 'content', 'outcome_reported'],
    ['an action moved to another session', `UPDATE actions SET session_id = 'ses_other' WHERE tool = 'notes'`, 'row', 'action_decided'],
    ['an action’s row that is gone', `DELETE FROM actions WHERE tool = 'notes'`, 'row', 'action_decided'],
    ['a permit that looks unused again', `UPDATE actions SET redeemed_at = NULL WHERE tool = 'notes'`, 'row', 'permit_redeemed'],
    ['a lowered quorum', `UPDATE approvals SET quorum = quorum + 1`, 'row', 'approval_requested'],
    ['a request routed to others', `UPDATE approvals SET approvers = ARRAY['everybody']`, 'row', 'approval_requested'],
    ['another action in what is held', `UPDATE approvals SET held = replace(held, 'report.txt', 'secret.txt')`, 'row', 'approval_requested'],
    ['another basis', `UPDATE approvals SET basis = replace(basis, 'report.txt', 'secret.txt')`, 'row', 'approval_requested'],
    ['a vote that is gone', `DELETE FROM votes WHERE verdict = 'approve'`, 'row', 'approval_voted'],
    ['a vote with another signature', `UPDATE votes SET envelope = replace(envelope, '"sig":"', '"sig":"A') WHERE verdict = 'approve'`, 'row', 'approval_voted'],
    ['a denial turned round in its request', `UPDATE approvals SET state = 'pending' WHERE state = 'approved'`, 'row', 'approval_resolved'],
    ['a deferral of another action', `UPDATE deferrals SET action_id = 'act_other'`, 'row', 'deferral_opened'],
    ['a person’s column', `UPDATE receipts SET person = 'per_other' WHERE kind = 'approval_voted'`, 'columns', 'approval_voted'],
    ['a revision’s column', `UPDATE receipts SET revision = 9 WHERE kind = 'action_decided'`, 'columns', 'action_decided'],
    ['a label’s column', `UPDATE receipts SET labels = ARRAY['SECRET'] WHERE kind = 'outcome_reported'`, 'columns', 'outcome_reported'],
    ['a tool’s column where the receipt names none', `UPDATE receipts SET tool = 'other' WHERE kind = 'permit_redeemed'`, 'columns', 'permit_redeemed'],
    ['a session’s column where the receipt names none', `UPDATE receipts SET session_id = 'ses_other' WHERE kind = 'roster_changed'`, 'columns', 'roster_changed'],
    ['a decision’s column where nothing was decided', `UPDATE receipts SET decision = 'ALLOW' WHERE kind = 'permit_redeemed'`, 'columns', 'permit_redeemed'],
  ])('finds %s, at its receipt', async (_damage, sql, what, kind) => {
    expect(await afterDamage(sql)).toMatchObject({ what, position: await indexOf(kind) });
  });

  test('finds a vote that nobody’s receipt tells of', async () => {
    const found = await afterDamage(`INSERT INTO votes SELECT workspace_id, approval_id, person_id || 'x', verdict, reason, statement, envelope, key_id, key_kind, at FROM votes`);
    expect(found).toMatchObject({ what: 'row', detail: expect.stringContaining('4 votes, but receipts of 2') });
  });
});
