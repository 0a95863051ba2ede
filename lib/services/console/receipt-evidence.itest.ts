import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import { judgeAction, type JudgedAction } from '@/lib/client/judge-action';
import { verifyReceipt } from '@/lib/client/verify-receipt';
import { createPool } from '@/lib/db/pool';
import { isId, type ActionId, type ApprovalId, type ReceiptId, type SessionId } from '@/lib/shared/ids';
import { enrolled, signedVote, testConsole, valueOf, viewerById } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

import { approveRequest } from './approve-request';
import type { ConsoleParts } from './console-parts';
import { receiptDetail } from './views/receipt-detail';
import { receiptEvidence } from './views/receipt-evidence';
import { receiptsView } from './views/receipts-view';

let plane: TestPlane;
let parts: ConsoleParts;
let close: () => Promise<void>;
let pool: ReturnType<typeof createPool>;
let action: ActionId;


async function receiptOf(kind: 'action_decided' | 'approval_requested' | 'approval_voted'): Promise<ReceiptId> {
  const [row] = (await receiptsView(parts, { action, kind, limit: 1 })).items;
  if (!row || !isId('receipt', row.id)) throw new Error(`No ${kind}.`);
  return row.id;
}
async function judged(id: ReceiptId): Promise<JudgedAction> {
  return await judgeAction(valueOf(await receiptDetail(parts, id)), valueOf(await receiptEvidence(parts, id)), plane.provisioned.fingerprint);
}
const states = ({ checks }: JudgedAction) => Object.fromEntries(checks.map(({ key, state }) => [key, state]));
/** What the database refuses everybody: somebody who owns it does it all the same, and takes it back. */
async function tampered<Found>(table: string, change: string, values: readonly unknown[], look: () => Promise<Found>): Promise<Found> {
  await pool.query(`ALTER TABLE "${table}" DISABLE TRIGGER USER`);
  const kept = (await pool.query<Record<string, unknown>>(`SELECT * FROM "${table}"`)).rows;
  await pool.query(change, [...values]);
  try {
    return await look();
  } finally {
    for (const row of kept) {
      const names = Object.keys(row).filter((name) => name === 'envelope' || name === 'decision' || name === 'body');
      const key = 'digest' in row ? 'digest' : 'id';
      await pool.query(`UPDATE "${table}" SET ${names.map((name, n) => `"${name}" = $${String(n + 2)}`).join(', ')} WHERE "${key}" = $1`, [row[key], ...names.map((name) => row[name])]);
    }
  }
}

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  ({ parts, close } = await testConsole({ databaseUrl: plane.databaseUrl, workspace: plane.workspace, stateDirectory: plane.stateDirectory }));
  pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
  const approver = await enrolled(parts, { person: plane.personOf('owner'), key: plane.owner }, plane.personOf('approver'));
  const session = (await plane.openSession('Please write the report.')) as SessionId;
  const held = (await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'files', operation: 'write', parameters: { path: '/srv/report.txt', content: 'text' } })).body as { readonly id: ActionId; readonly approval: { readonly id: ApprovalId } };
  action = held.id;
  const row = await parts.approvals.find(held.approval.id);
  const shown = valueOf(parseHeldAction(JSON.parse(row?.held ?? '')));
  valueOf(await approveRequest(parts, await viewerById(parts, plane.personOf('approver')), { approval: held.approval.id, envelope: await signedVote(shown, plane.personOf('approver'), approver) }));
  await vi.waitFor(async () => expect((await receiptsView(parts, { action, kind: 'permit_issued', limit: 1 })).items).toHaveLength(1), { timeout: 20_000 });
});
afterAll(async () => {
  await close();
  await pool.end();
  await plane.stop();
});

describe('the whole action of a receipt, judged in the browser', () => {
  it('holds: signed, paired, its vote checked, its decision made again by the engine', async () => {
    const found = await judged(await receiptOf('action_decided'));
    expect(found.checks.filter(({ state }) => state !== 'pass')).toEqual([]);
    expect(states(found)).toEqual({ all_signed: 'pass', contents: 'pass', votes: 'pass', pairing: 'pass', rederived: 'pass' });
    expect(found.pairing).toMatchObject({ verdict: 'permit_unused', broken: false });
    expect(found.asked).toMatchObject({ tool: 'files', operation: 'write', parameters: { path: '/srv/report.txt' } });
  });

  it('draws the screen again that the approver’s signature covers', async () => {
    const { redrawn } = await judged(await receiptOf('approval_voted'));
    expect(redrawn).toMatchObject({ state: 'same', held: { action_id: action }, statement: { voter: { person: plane.personOf('approver') } } });
    expect((await judged(await receiptOf('approval_requested'))).redrawn).toMatchObject({ state: 'unsigned' });
  });

  it('is found out by content that was changed beside the log', async () => {
    const id = await receiptOf('action_decided');
    const found = await tampered('contents', `UPDATE "contents" SET "body" = replace("body", '/srv/report.txt', '/etc/passwd')`, [], () => judged(id));
    expect(states(found)).toMatchObject({ contents: 'fail', rederived: 'skipped' });
    // What does not have its digest is shown to nobody as what was asked.
    expect(found.asked).toBeUndefined();
  });

  it('says of erased content that it is erased, and does not fail for it', async () => {
    const id = await receiptOf('action_decided');
    const { content, ...rest } = parts;
    const erased = { ...rest, content: { ...content, find: async () => new Map() } };
    const found = await judgeAction(valueOf(await receiptDetail(parts, id)), valueOf(await receiptEvidence(erased, id)), plane.provisioned.fingerprint);
    expect(found.checks.find(({ key }) => key === 'contents')).toMatchObject({ state: 'skipped', detail: expect.stringContaining('erased') });
    expect(found.checks.find(({ key }) => key === 'rederived')).toMatchObject({ state: 'skipped', detail: expect.stringContaining('erased') });
  });

  it('is found out by an envelope that was changed in the database', async () => {
    const id = await receiptOf('approval_voted');
    const found = await tampered('receipts', `UPDATE "receipts" SET "envelope" = replace("envelope", '"sig":"', '"sig":"A') WHERE "id" = $1`, [id], () => judged(id));
    expect(states(found)['all_signed']).toBe('fail');
  });

  it('is found out by a column that lists and filters run on', async () => {
    const id = await receiptOf('action_decided');
    const detail = await tampered('receipts', `UPDATE "receipts" SET "decision" = 'ALLOW' WHERE "id" = $1`, [id], async () => valueOf(await receiptDetail(parts, id)));
    const checks = await verifyReceipt({ ...detail, previousLeaf: detail.previous_leaf }, plane.provisioned.fingerprint);
    expect(checks.filter(({ state }) => state === 'fail')).toEqual([{ key: 'row', state: 'fail', detail: 'The list says decision ALLOW; signed is STEP_UP.' }]);
  });

  it('believes no key of a root that this browser does not know', async () => {
    const id = await receiptOf('action_decided');
    const found = await judgeAction(valueOf(await receiptDetail(parts, id)), valueOf(await receiptEvidence(parts, id)), 'f'.repeat(64));
    expect(states(found)).toMatchObject({ all_signed: 'fail', votes: 'fail' });
  });
});
