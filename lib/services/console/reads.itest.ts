import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import { checkpointKey, originOf, parseCheckpoint } from '@/lib/ledger/checkpoint';
import { parseInclusionDocument } from '@/lib/ledger/inclusion-document';
import { leafHashOf } from '@/lib/ledger/leaf';
import { verifyInclusion } from '@/lib/ledger/merkle/verify-proof';
import { parseNote, verifyNote } from '@/lib/ledger/note';
import type { SigningKey } from '@/lib/server/ed25519';
import { ownServiceKey } from '@/lib/server/service-keys';
import { toHex } from '@/lib/shared/encoding';
import { isId, type ApprovalId, type SessionId } from '@/lib/shared/ids';
import { enrolled, signedVote, testConsole, valueOf, viewerById } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { verifyBundle } from '@/lib/verify/verify-bundle';

import { approveRequest } from './approve-request';
import type { ConsoleParts } from './console-parts';
import { exportReceipts } from './export-receipts';
import { agentsView } from './views/agents-view';
import { consoleStatus } from './views/console-status';
import { deferralsView } from './views/deferrals-view';
import { overviewView } from './views/overview-view';
import { peopleView } from './views/people-view';
import { receiptDetail } from './views/receipt-detail';
import { receiptsView } from './views/receipts-view';
import { sessionDetail } from './views/session-detail';
import { visibleEvent } from './visible-event';

let plane: TestPlane;
let parts: ConsoleParts;
let close: () => Promise<void>;
let approver: SigningKey;
let session: SessionId;
let approval: ApprovalId;

const propose = async (tool: string, operation: string, parameters: object): Promise<{ readonly approval?: { readonly id: string } }> =>
  (await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters })).body as { readonly approval?: { readonly id: string } };

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  ({ parts, close } = await testConsole(plane));
  approver = await enrolled(parts, { person: plane.personOf('owner'), key: plane.owner }, plane.personOf('approver'));
  const opened = await plane.openSession('Please delete the test contacts and write the report.');
  if (!isId('session', opened)) throw new Error('No session.');
  session = opened;
  await propose('notes', 'write', { text: 'one' });
  await propose('database', 'drop', { table: 'customers' });
  await propose('database', 'delete', { table: 'crm.contacts', where: "batch = '7'" });
  const held = await propose('files', 'write', { path: '/srv/report.txt', content: 'text' });
  const made = held.approval?.id ?? '';
  if (!isId('approval', made)) throw new Error(`Not held: ${JSON.stringify(held)}`);
  approval = made;
});
afterAll(async () => {
  await close();
  await plane.stop();
});

describe('the overview', () => {
  it('counts what waits, what was decided and what was denied', async () => {
    const view = await overviewView(parts, await viewerById(parts, plane.personOf('approver')));
    expect(view).toMatchObject({ waiting: 1, next_expiry: { approval, title: 'files.write' }, need_second: 0 });
    expect(view.per_minute).toHaveLength(60);
    expect(view.last_hour.ALLOW).toBeGreaterThanOrEqual(1);
    expect(view.last_hour.STEP_UP).toBeGreaterThanOrEqual(1);
    expect(view.denials_24h.total).toBe(view.denials_24h.by_code.reduce((sum, { count }) => sum + count, 0));
    expect(view.denials_24h.total).toBeGreaterThanOrEqual(1);
    expect(view.agents.find((agent) => agent.id === 'helper')).toMatchObject({ held: 1, suspended: false });
    expect(view.receipts).toBe(Number((await parts.log.head()).size));
  });

  it('names the request that ends next only to who may see it', async () => {
    const nobody = { ...(await viewerById(parts, plane.personOf('admin'))), email: 'somebody.else@harbor.example' };
    expect(await overviewView(parts, nobody)).toMatchObject({ waiting: 1, next_expiry: null });
  });

  it('and every frame states what is in force and whose keys sign it', async () => {
    const status = await consoleStatus(parts);
    expect(status).toMatchObject({ denied: null, set_up: 'done', policy: { revision: 1, signers: ['Olga Owner'], needed: 1 }, banners: { browser_keys: true, demo_key: false, switches: [] } });
    expect(status.checkpoint?.size).toBeGreaterThan(0);
  });
});

describe('a receipt', () => {
  it('comes with all that proves it, checked here without asking again', async () => {
    const { items } = await receiptsView(parts, { kind: 'action_decided', limit: 1 });
    const [row] = items;
    if (!row || !isId('receipt', row.id)) throw new Error('No receipt.');
    const detail = valueOf(await receiptDetail(parts, row.id));
    const { sha256, verify } = parts.cryptography;
    const proof = valueOf(parseInclusionDocument(detail.proof ?? ''));
    const checkpoint = valueOf(parseCheckpoint(proof.checkpoint));
    expect(verifyInclusion(sha256, proof.index, checkpoint.size, leafHashOf(sha256, detail.leaf), proof.path, checkpoint.root)).toBe(true);
    const { publicKey } = await ownServiceKey(plane.stateDirectory, 'plane');
    const signers = await verifyNote(sha256, verify, valueOf(parseNote(proof.checkpoint)), [checkpointKey(originOf(plane.workspace), publicKey)]);
    expect(signers.ok).toBe(true);
    expect(JSON.parse(detail.leaf)).toHaveProperty('previous', toHex(leafHashOf(sha256, detail.previous_leaf ?? '')));
    expect(detail.fingerprint).toBe(plane.provisioned.fingerprint);
    expect(detail.related.map(({ id: one }) => one)).toContain(row.id);
  });

  it('is found by what is asked for, and pages leave none out', async () => {
    const seen: number[] = [];
    let before: number | undefined;
    do {
      const page = await receiptsView(parts, { limit: 4, ...(before === undefined ? {} : { before }) });
      seen.push(...page.items.map(({ index }) => index));
      before = page.next ?? undefined;
    } while (before !== undefined);
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, at) => seen.length - 1 - at));
    const denied = await receiptsView(parts, { decision: 'DENY', tool: 'database', limit: 10 });
    expect(denied.items.map(({ operation }) => operation)).toContain('drop');
    expect(denied.items.every(({ decision, tool }) => decision === 'DENY' && tool === 'database')).toBe(true);
  });

  it('of a decision says which receipts belong to it, and a person’s carries the name in the roster', async () => {
    const { items } = await receiptsView(parts, { kind: 'action_decided', limit: 50 });
    const pairedOf = (tool: string, operation: string) => items.find((row) => row.tool === tool && row.operation === operation)?.paired;
    expect(pairedOf('notes', 'write')).toEqual({ approval: 'not_needed', outcome: 'waiting' });
    expect(pairedOf('database', 'drop')).toEqual({ approval: 'not_needed', outcome: 'not_run' });
    expect(pairedOf('files', 'write')).toEqual({ approval: 'waiting', outcome: 'waiting' });
    const [enrolment] = (await receiptsView(parts, { kind: 'key_enrolled', person: plane.personOf('approver'), limit: 1 })).items;
    expect(enrolment).toMatchObject({ person: plane.personOf('approver'), person_name: (await viewerById(parts, plane.personOf('approver'))).name, paired: null });
  });

  it('of a session stands in its order, beside what the session has seen', async () => {
    const detail = valueOf(await sessionDetail(parts, session));
    expect(detail.entries[0]).toMatchObject({ kind: 'request', text: 'Please delete the test contacts and write the report.' });
    expect(detail.receipts[0]?.kind).toBe('session_opened');
    expect(detail.receipts.map(({ index }) => index)).toEqual(detail.receipts.map(({ index }) => index).toSorted((a, b) => a - b));
  });
});

describe('an export', () => {
  it('verifies as a whole, the vote that was cast in the console included, and leaves a receipt', async () => {
    const row = await parts.approvals.find(approval);
    const held = valueOf(parseHeldAction(JSON.parse(row?.held ?? '')));
    valueOf(await approveRequest(parts, await viewerById(parts, plane.personOf('approver')), { approval, envelope: await signedVote(held, plane.personOf('approver'), approver) }));
    const decided = (await receiptsView(parts, { kind: 'action_decided', tool: 'files', limit: 1 })).items[0];
    expect(decided?.paired?.approval).toBe('signed');
    const size = (await parts.log.head()).size;
    await expect.poll(async () => (await parts.log.checkpointCovering(size)) !== undefined, { timeout: 10_000 }).toBe(true);
    const file = valueOf(await exportReceipts(parts, { kind: 'person', id: plane.personOf('owner') }, { withhold: false }));
    const { sha256, verify } = parts.cryptography;
    const report = await verifyBundle(file.bytes, { root: plane.provisioned.fingerprint, sha256, verifySignature: verify });
    expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
    expect(report.checks.find((check) => check.id === 'votes')).toMatchObject({ state: 'pass' });
    const { items } = await receiptsView(parts, { kind: 'export_made', limit: 1 });
    expect(items[0]?.person).toBe(plane.personOf('owner'));
  });
});

describe('an event', () => {
  it('tells nobody of a request that they may not see', async () => {
    const event = { kind: 'approval_changed', id: approval } as const;
    const [owner, routed, requester] = await Promise.all([viewerById(parts, plane.personOf('owner')), viewerById(parts, plane.personOf('approver')), viewerById(parts, plane.personOf('requester'))]);
    for (const viewer of [owner, routed, requester]) expect(await visibleEvent(parts.reads, viewer, event)).toEqual(event);
    const stranger = { ...requester, email: 'stranger@harbor.example' };
    expect(await visibleEvent(parts.reads, stranger, event)).toBeNull();
    expect(await visibleEvent(parts.reads, routed, { kind: 'log_grew', id: '7' })).toBeNull();
    expect(await visibleEvent(parts.reads, owner, { kind: 'log_grew', id: '7' })).toEqual({ kind: 'log_grew', id: '7' });
    expect(await visibleEvent(parts.reads, owner, { kind: 'approval_changed', id: "' OR 1=1" })).toBeNull();
  });
});

describe('lists', () => {
  it('of agents, people and deferrals state what the signed roster makes of their rows', async () => {
    const agents = await agentsView(parts);
    expect(agents.agents.find((agent) => agent.id === 'helper')).toMatchObject({ registered_by: 'Ada Admin', suspended_at: null });
    expect(agents.vouching.map(({ state }) => state)).toEqual(agents.vouching.map(() => 'live'));
    const { people } = await peopleView(parts);
    expect(people.find((person) => person.id === plane.personOf('approver'))).toMatchObject({ in_roster: true, roles: ['approver'], keys: [{ id: approver.id }] });
    const deferrals = await deferralsView(parts, await viewerById(parts, plane.personOf('owner')));
    expect(deferrals.items.map(({ agent }) => agent)).toEqual(deferrals.items.map(() => 'helper'));
  });
});
