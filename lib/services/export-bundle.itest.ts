import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { parseBundle } from '@/lib/ledger/bundle';
import { leafHashOf, previousOf, textOf, type Leaf } from '@/lib/ledger/leaf';
import { appendLeaf, emptyFrontier, frontierToHex } from '@/lib/ledger/merkle/frontier';
import { readStatement } from '@/lib/ledger/statement';
import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import { stockCatalogue } from '@/lib/mediate/stock';
import { ownServiceKey } from '@/lib/server/service-keys';
import type { ActionId, ApprovalId, SessionId } from '@/lib/shared/ids';
import { enrolled, signedVote, testConsole, valueOf, viewerById } from '@/lib/testing/console-fixture';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '@/lib/testing/node-crypto';
import { planePolicy } from '@/lib/testing/plane-policy';
import { callPlane, startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import type { Report } from '@/lib/verify/report';
import { verifyBundle } from '@/lib/verify/verify-bundle';

import { approveRequest } from './console/approve-request';
import { denyRequest } from './console/deny-request';
import { exportBundle, type ExportWanted } from './export-bundle';

let plane: TestPlane;
let session: string;
let approved: { readonly action: ActionId; readonly approval: ApprovalId };
let child: string;

const propose = (tool: string, operation: string, parameters: object, token = plane.token('helper')) =>
  plane.call(token, 'POST', '/v1/actions', { session, tool, operation, parameters });
const redeem = (permit: string) => plane.call(plane.token('gate'), 'POST', `/v1/permits/${permit}/redeem`);
const reportOutcome = (action: string, output: unknown) => plane.call(plane.token('gate'), 'POST', `/v1/actions/${action}/outcome`, { status: 'succeeded', output });

/** Two planes decide in the same session at once, ten times over. */
async function raced(): Promise<void> {
  const other = await plane.another();
  const proposeAt = (url: string, tool: string, operation: string, parameters: object) =>
    callPlane(url, plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters });
  for (let turn = 0; turn < 10; turn++) {
    await Promise.all([
      proposeAt(plane.url, 'notes', 'write', { text: `one ${turn}` }),
      proposeAt(other.url, 'database', 'query', { query: 'SELECT id FROM orders' }),
      proposeAt(other.url, 'notes', 'write', { text: `two ${turn}` }),
    ]);
  }
  await other.stop();
}

/** One held action that a person approves with their key and that then runs, and one that they deny. */
async function countersigned(): Promise<void> {
  const { parts, close } = await testConsole(plane);
  const people = { owner: plane.personOf('owner'), approver: plane.personOf('approver') };
  const key = await enrolled(parts, { person: people.owner, key: plane.owner }, people.approver);
  const viewer = await viewerById(parts, people.approver);
  const first = await propose('files', 'write', { path: 'report.txt', content: 'numbers' });
  const { held } = (await parts.approvals.find(first.body.approval.id)) ?? {};
  const approval = first.body.approval.id as ApprovalId;
  valueOf(await approveRequest(parts, viewer, { approval, envelope: await signedVote(valueOf(parseHeldAction(JSON.parse(held ?? ''))), people.approver, key) }));
  approved = { action: first.body.id, approval };
  const permitted = await plane.call(plane.token('helper'), 'GET', `/v1/actions/${first.body.id}?wait=20`);
  await redeem(permitted.body.permit.id);
  await reportOutcome(first.body.id, { lines: 3 });
  const second = await propose('files', 'write', { path: 'other.txt', content: 'x' });
  valueOf(await denyRequest(parts, viewer, { approval: second.body.approval.id, code: 'not_wanted', reason: 'Not this one.' }));
  await close();
}

/** The session hands on to two children, and one of them further; all of them act. One ends by itself, the others with it. */
async function handedOn(): Promise<string> {
  const under = async (parent: string, as: string) =>
    (await plane.call(plane.token(as), 'POST', '/v1/sessions', { human: 'requester@harbor.example', request: 'Note it, please.', agent: 'helper', parent })).body.id as string;
  const note = (within: string) => plane.call(plane.token('helper'), 'POST', '/v1/actions', { session: within, tool: 'notes', operation: 'write', parameters: { text: 'handed on' } });
  const [one, two] = [await under(session, 'desk'), await under(session, 'helper')];
  const deepest = await under(one, 'helper');
  await Promise.all([one, two, deepest, session].map(note));
  await plane.call(plane.token('helper'), 'DELETE', `/v1/sessions/${two}`);
  await note(two);
  await note(session);
  return deepest;
}

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  session = await plane.openSession('Look up the orders, mail ann@partner.example, and clean up the test data.');
  const note = await propose('notes', 'write', { text: 'start' });
  await redeem(note.body.permit.id);
  await reportOutcome(note.body.id, 'written');
  await propose('database', 'update', { table: 'orders', set: { state: 'new' }, where: 'id = 1', limit: 500 });
  const mail = await propose('email', 'send', { to: 'ann@partner.example', body: 'the summary' });
  await propose('database', 'query', { query: 'SELECT * FROM customers' });
  await redeem(mail.body.permit.id);
  await propose('email', 'send', { to: 'ann@partner.example', body: 'again' });
  await propose('database', 'drop', { database: 'production' });
  const held = await propose('files', 'write', { path: 'notes.txt', content: 'hello' });
  await plane.call(plane.token('helper'), 'DELETE', `/v1/actions/${held.body.id}`);
  await raced();
  await countersigned();
  await propose('database', 'delete', { table: 'test_data', where: 'age > 1' });
  await plane.call(plane.token('records'), 'POST', `/v1/sessions/${session}/context`, {
    attributes: [{ subject: 'database:test_data', name: 'owner', value: 'requester@harbor.example' }],
  });
  await plane.call(plane.token('desk'), 'POST', `/v1/sessions/${session}/messages`, { text: 'And take a note at the end.' });
  child = await handedOn();
  await plane.call(plane.token('helper'), 'PUT', '/v1/policy', { text: 'x' });
  await plane.call(plane.token('desk'), 'DELETE', `/v1/sessions/${session}`);
  await propose('notes', 'write', { text: 'too late' });
}, 120_000);
afterAll(async () => {
  await plane.stop();
});

async function exported(wanted: Partial<ExportWanted> = {}) {
  const key = await ownServiceKey(plane.stateDirectory, 'console');
  const { log, content, authority } = plane.stores;
  const parts = { workspace: plane.workspace, log, content, authority, sha256, signer: key.signer, productVersion: 'test' };
  const result = await exportBundle(parts, { withhold: false, now: new Date().toISOString(), ...wanted });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

function kindOf({ envelope }: Leaf, action: ActionId): string | undefined {
  const { kind, predicate } = valueOf(readStatement(sha256, envelope));
  return 'action' in predicate && predicate.action.id === action ? kind : undefined;
}

const verify = (bytes: Uint8Array): Promise<Report> =>
  verifyBundle(bytes, { sha256, verifySignature, root: plane.provisioned.fingerprint, rederive: rederiveWith(sha256, stockCatalogue(sha256)) });

const troubles = (report: Report) => report.checks.filter(({ state }) => state !== 'pass').map(({ id, state, detail, firstBad }) => ({ id, state, detail, firstBad }));

describe('what a real plane has written', () => {
  it('is exported whole and verified, every decision of the engine reproduced', async () => {
    const { bytes, from, to, size } = await exported();
    expect([from, to]).toEqual([0, size]);
    const report = await verify(bytes);
    expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
    expect(report.verdict).toBe('verified');
    expect(report.rederived.differs).toBe(0);
    expect(report.rederived.reproduced).toBeGreaterThan(6);
    expect(report.rederived.notes).toEqual([]);
    expect(new Set(report.pairing.map(({ verdict }) => verdict))).toEqual(new Set(['completed', 'permit_void', 'denied', 'withdrawn']));
    expect(report.checks.find(({ id }) => id === 'votes')?.detail).toBe('2 votes.');
  });

  it('shows that each decision saw all that its session had done before, though two planes decided', async () => {
    const report = await verify((await exported()).bytes);
    expect(report.checks.find(({ id }) => id === 'sessions')?.state).toBe('pass');
    expect(report.pairing.length).toBeGreaterThan(30);
  });

  it('is verified with all content withheld', async () => {
    const report = await verify((await exported({ withhold: true })).bytes);
    expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
    expect(report.rederived.reproduced).toBe(0);
  });

  it('is verified in any part of it', async () => {
    const { size } = await exported();
    for (const [from, to] of [[3, size], [0, 9], [8, 12], [size - 1, size]] as const) {
      const report = await verify((await exported({ from, to })).bytes);
      expect(report.checks.filter(({ state }) => state === 'fail'), `${from} to ${to}`).toEqual([]);
    }
  });

  it('is verified for one session', async () => {
    const report = await verify((await exported({ session: session as SessionId })).bytes);
    expect(troubles(report).map(({ id, state }) => ({ id, state }))).toEqual([{ id: 'completeness', state: 'unknown' }]);
  });

  it('is verified for a child of a child', async () => {
    const report = await verify((await exported({ session: child as SessionId })).bytes);
    expect(troubles(report).map(({ id, state }) => ({ id, state }))).toEqual([{ id: 'completeness', state: 'unknown' }]);
  });

  it('is verified for one case: all of the action, what its decisions rest on, and none of the other actions that came after', async () => {
    const { bytes, session: of } = await exported({ case: approved.action });
    expect(of).toBe(session);
    const report = await verify(bytes);
    expect(troubles(report).map(({ id, state }) => ({ id, state }))).toEqual([{ id: 'completeness', state: 'unknown' }]);
    expect(report.pairing.find(({ action }) => action === approved.action)).toMatchObject({ verdict: 'completed' });
    expect(report.checks.find(({ id }) => id === 'votes')?.detail).toBe('One vote.');
    const { anchors } = valueOf(parseBundle(bytes));
    const kinds = anchors.flatMap(({ leaf }) => kindOf(leaf, approved.action) ?? []);
    expect(kinds).toEqual(['action_decided', 'approval_requested', 'approval_voted', 'approval_resolved', 'permit_issued', 'permit_redeemed', 'outcome_reported']);
    expect(anchors.length).toBeLessThan(valueOf(parseBundle((await exported({ session: session as SessionId })).bytes)).anchors.length);
  });

  it('goes on from the range before: the one ends in the frontier and the leaf that the other begins with', async () => {
    const { size } = await exported();
    const [first, second] = [valueOf(parseBundle((await exported({ to: 9 })).bytes)), valueOf(parseBundle((await exported({ from: 9, to: size })).bytes))];
    let frontier = emptyFrontier;
    let last: Uint8Array | undefined;
    for (const leaf of first.leaves) frontier = appendLeaf(sha256, frontier, (last = leafHashOf(sha256, textOf(leaf))));
    expect(frontierToHex(frontier)).toEqual(second.frontier);
    expect(second.leaves[0]?.previous).toBe(previousOf(last));
  });

  it('is refused when it would be larger than a verifier reads, with a range that fits', async () => {
    const key = await ownServiceKey(plane.stateDirectory, 'console');
    const parts = { ...plane.stores, workspace: plane.workspace, sha256, signer: key.signer, productVersion: 'test' };
    const refused = await exportBundle(parts, { withhold: false, now: new Date().toISOString(), mostBytes: 60_000 });
    const to = /--to (\d+)/.exec(refused.ok ? '' : (refused.error.fix ?? ''))?.[1];
    expect(refused).toMatchObject({ ok: false, error: { code: 'too_large' } });
    expect((await exportBundle(parts, { withhold: true, to: Number(to), now: new Date().toISOString(), mostBytes: 60_000 })).ok).toBe(true);
  });

  it('is verified with single contents withheld, and says that they are', async () => {
    const whole = valueOf(parseBundle((await exported()).bytes));
    const digest = whole.contents.find(({ value }) => value === 'written')?.digest;
    const { bytes, withheld } = await exported({ withholdContents: digest ? [digest] : [] });
    expect(withheld).toBe(1);
    const report = await verify(bytes);
    expect(report.verdict).toBe('verified');
    expect(report.checks.find(({ id }) => id === 'contents')?.detail).toContain('1 withheld, 0 erased');
  });

  it('is refused after any change of a byte in it', async () => {
    const { bytes } = await exported();
    for (let at = 11; at < bytes.length; at += Math.floor(bytes.length / 20)) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(['failed', 'unreadable']).toContain((await verify(changed)).verdict);
    }
  });

  it('has no range that is none, and none that no checkpoint covers', async () => {
    await expect(exported({ from: 5, to: 5 })).rejects.toThrow('not one');
    await expect(exported({ from: 0, to: 100_000 })).rejects.toThrow('checkpoint');
    await expect(exported({ from: 100_000 })).rejects.toThrow('covers');
  });
});
