import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { stockCatalogue } from '@/lib/mediate/stock';
import { ownServiceKey } from '@/lib/server/service-keys';
import { exportBundle } from '@/lib/services/export-bundle';
import { isId } from '@/lib/shared/ids';
import { startApprovalStage, type ApprovalStage, type Held } from '@/lib/testing/approval-stage';
import { codeOf, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import { deferralPolicy, deferralVouching } from '@/lib/testing/deferral-policy';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '@/lib/testing/node-crypto';
import type { PlaneAnswer } from '@/lib/testing/plane-fixture';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import { verifyBundle } from '@/lib/verify/verify-bundle';

import { denyRequest } from './deny-request';
import { suspendAgent } from './suspend-agent';
import { deferralDetail } from './views/deferral-detail';
import { deferralsView } from './views/deferrals-view';

let stage: ApprovalStage;
beforeAll(async () => {
  stage = await startApprovalStage(deferralPolicy, { vouching: deferralVouching });
}, 60_000);
afterAll(() => stage.stop());

const helper = () => stage.plane.token('helper');
const open = async (request = 'Delete the entry.'): Promise<string> => await stage.plane.openSession(request);
const propose = async (session: string, name: string, parameters: object, more: object = {}): Promise<PlaneAnswer['body']> => {
  const [tool, operation] = name.split('.');
  return (await stage.plane.call(helper(), 'POST', '/v1/actions', { session, tool, operation, parameters, ...more })).body;
};
const read = async (id: string): Promise<PlaneAnswer['body']> => (await stage.plane.call(helper(), 'GET', `/v1/actions/${id}`)).body;
const wait = async (id: string): Promise<PlaneAnswer['body']> => (await stage.plane.call(helper(), 'GET', `/v1/actions/${id}?wait=20`)).body;
const supply = (session: string, name: string, value: unknown, subject = 'calendar:standup') =>
  stage.plane.call(stage.plane.token('records'), 'POST', `/v1/sessions/${session}/context`, { attributes: [{ subject, name, value }] });
const kindsOf = async (id: string): Promise<readonly string[]> =>
  isId('action', id) ? (await stage.plane.stores.log.search({ action: id }, { limit: 100 })).rows.map(({ kind }) => kind).reverse() : [];
const heldOf = ({ id, approval }: PlaneAnswer['body']): Held => {
  if (!isId('action', id) || !isId('approval', approval?.id)) throw new Error('It is not held.');
  return { action: id, approval: approval.id };
};

describe('a deferral', () => {
  it('names exactly what is missing and who can supply it, and less once a part of it came', async () => {
    const session = await open();
    const first = await propose(session, 'calendar.delete', { id: 'standup' });
    expect(first.deferral.missing).toEqual([
      { field: 'attributes.criticality', suppliers: ['ip:records', 'ip:registry'] },
      { field: 'target_ownership', suppliers: ['ip:records', 'orchestrator:desk'] },
    ]);
    const waiting = wait(first.id);
    expect((await supply(session, 'owner', 'requester@harbor.example')).body.redecided).toEqual([]);
    const narrower = await waiting;
    expect(narrower).toMatchObject({ decision: 'DEFER', state: 'deferred', deferral: { expires_at: first.deferral.expires_at } });
    expect(narrower.deferral.missing).toEqual([{ field: 'attributes.criticality', suppliers: ['ip:records', 'ip:registry'] }]);
    expect(narrower.receipt.id).not.toBe(first.receipt.id);
    expect((await supply(session, 'criticality', 'low')).body.redecided).toEqual([first.id]);
    expect(await read(first.id)).toMatchObject({ decision: 'ALLOW', state: 'permitted' });
    expect(await kindsOf(first.id)).toEqual(['action_decided', 'deferral_opened', 'action_decided', 'action_decided', 'deferral_resolved']);
  });

  it('is denied once a field is settled as unavailable and the rest is known', async () => {
    const session = await open();
    const { id } = await propose(session, 'calendar.delete', { id: 'standup' });
    await supply(session, 'owner', { unavailable: true });
    expect(await read(id)).toMatchObject({ state: 'deferred', deferral: { missing: [{ field: 'attributes.criticality' }] } });
    await supply(session, 'criticality', 'low');
    expect(await read(id)).toMatchObject({ decision: 'DENY', state: 'denied' });
  });

  it('ends in DENY when its time is over', async () => {
    const { id, state } = await propose(await open('Fetch the page.'), 'http.fetch', { url: 'https://example.com/', method: 'GET' });
    expect(state).toBe('deferred');
    expect(await wait(id)).toMatchObject({ decision: 'DEFER', state: 'expired', code: 'deferral_expired' });
    expect(await kindsOf(id)).toEqual(['action_decided', 'deferral_opened', 'deferral_resolved']);
  });

  it('is decided with the policy of now', async () => {
    const session = await open();
    const { id } = await propose(session, 'calendar.delete', { id: 'standup' });
    await stage.changePolicy(deferralPolicy.replace('action: ALLOW\n    reason: "Entries may be deleted."', 'action: DENY\n    reason: "Entries are kept."'));
    // Nobody supplies anything: what changed is what it would be decided by.
    expect(await wait(id)).toMatchObject({ decision: 'DENY', state: 'denied', policy: { revision: 2 } });
    await stage.changePolicy(deferralPolicy);
  });

  it('is denied when whoever proposed it could not propose it any more', async () => {
    const session = await stage.plane.openSession('Delete the entry.', 'stranger');
    const { body } = await stage.plane.call(stage.plane.token('stranger'), 'POST', '/v1/actions', { session, tool: 'calendar', operation: 'delete', parameters: { id: 'standup' } });
    expect(body.state).toBe('deferred');
    valueOf(await suspendAgent(stage.parts, stage.id('admin'), 'stranger'));
    const stored = async () => (await stage.plane.stores.actions.find([body.id])).get(body.id);
    await expect.poll(stored, { timeout: 20_000 }).toMatchObject({ state: 'denied', code: 'identity_unverifiable' });
  });
});

describe('rules that conflict', () => {
  it('put the action before the approvers of the stricter, and run exactly what these approved', async () => {
    const body = await propose(await open('Close the ticket.'), 'tickets.update', { id: 'T-1', state: 'closed' });
    expect(body).toMatchObject({ decision: 'DEFER', state: 'held', code: 'rule_conflict', approval: { quorum: { needed: 1, given: 0 } }, deferral: { missing: [] } });
    const held = heldOf(body);
    expect((await stage.heldOf(held.approval)).rules.map(({ id }) => id).toSorted()).toEqual(['nobody-writes-tickets', 'tickets-are-harmless']);
    valueOf(await stage.cast('approver', held.approval));
    const permitted = await wait(held.action);
    expect(permitted).toMatchObject({ decision: 'DEFER', state: 'permitted' });
    const redeemed = await stage.plane.call(helper(), 'POST', `/v1/permits/${permitted.permit.id}/redeem`);
    expect(redeemed).toMatchObject({ status: 200, body: { execute: { tool: 'tickets', operation: 'update', parameters: { id: 'T-1', state: 'closed' } } } });
    expect(await kindsOf(held.action)).toEqual([
      'action_decided', 'approval_requested', 'deferral_opened', 'approval_voted', 'approval_resolved', 'permit_issued', 'deferral_resolved', 'permit_redeemed',
    ]);
  });

  it('go on being what was approved when the context moves before the permit is used', async () => {
    const session = await open('Close the ticket.');
    const held = heldOf(await propose(session, 'tickets.update', { id: 'T-2', state: 'closed' }));
    valueOf(await stage.cast('approver', held.approval));
    const { permit } = await wait(held.action);
    await propose(session, 'notes.write', { text: 'x' });
    expect((await stage.plane.call(helper(), 'POST', `/v1/permits/${permit.id}/redeem`)).status).toBe(200);
  });

  it('end in DENY when one of these denies, and the deferral with it', async () => {
    const held = heldOf(await propose(await open('Close the ticket.'), 'tickets.update', { id: 'T-3', state: 'closed' }));
    valueOf(await denyRequest(stage.parts, await stage.viewer('approver'), { approval: held.approval, code: 'other', reason: 'Not now.' }));
    expect(await read(held.action)).toMatchObject({ state: 'denied', code: 'approval_denied' });
    expect((await kindsOf(held.action)).slice(-2)).toEqual(['approval_resolved', 'deferral_resolved']);
    expect(await stage.plane.stores.approvals.deferralsOf([held.action])).toEqual([]);
  });

  it('wait for what is missing first: an action that is ahead has to end', async () => {
    const session = await open('Close the ticket.');
    const first = await propose(session, 'tickets.update', { id: 'T-4', state: 'closed' });
    const second = await propose(session, 'tickets.update', { id: 'T-4', state: 'open' });
    expect(second).toMatchObject({ state: 'deferred', deferral: { waits_for: [first.id] } });
    expect(second).not.toHaveProperty('approval');
    await stage.plane.call(helper(), 'DELETE', `/v1/actions/${first.id}`);
    expect(await wait(second.id)).toMatchObject({ decision: 'DEFER', state: 'held', code: 'rule_conflict' });
    await stage.plane.call(helper(), 'DELETE', `/v1/actions/${second.id}`);
    expect(await kindsOf(second.id)).toEqual([
      'action_decided', 'deferral_opened', 'action_decided', 'approval_requested', 'action_withdrawn', 'approval_resolved', 'deferral_resolved',
    ]);
  });
});

describe('a rule that names people for the end of its time', () => {
  it('puts the action before them then, and what they approve runs', async () => {
    const { id, state } = await propose(await open('Check out the release.'), 'git.checkout', { reference: 'release' });
    expect(state).toBe('deferred');
    const asked = await wait(id);
    expect(asked).toMatchObject({ decision: 'DEFER', state: 'held', code: 'needs_context' });
    const held = heldOf(asked);
    valueOf(await stage.cast('approver', held.approval));
    const permitted = await wait(id);
    expect((await stage.plane.call(helper(), 'POST', `/v1/permits/${permitted.permit.id}/redeem`)).status).toBe(200);
    expect(await kindsOf(id)).toEqual([
      'action_decided', 'deferral_opened', 'action_decided', 'approval_requested', 'deferral_resolved', 'approval_voted', 'approval_resolved', 'permit_issued', 'permit_redeemed',
    ]);
  });
});

describe('what the console shows of them', () => {
  it('names what is missing, what they wait behind and what waits on them', async () => {
    const session = await open('Delete the entry standup, then note it.');
    const head = await propose(session, 'calendar.delete', { id: 'standup' }, { reason: 'Tidying up.' });
    const behind = await propose(session, 'notes.write', { text: 'gone' }, { depends_on: [head.id] });
    const { items } = await deferralsView(stage.parts, await stage.viewer('owner'));
    const shown = (action: string) => items.find((item) => item.action === action);
    expect(shown(head.id)).toMatchObject({
      title: 'calendar.delete', rules: ['criticality-first'], approval: null, at_timeout: 'DENY', waits_for: [],
      blocks: [{ action: behind.id, title: 'notes.write', state: 'deferred' }],
      missing: [{ field: 'attributes.criticality', subject: 'calendar:standup', attribute: 'criticality', suppliers: ['ip:records', 'ip:registry'], attempts: [] }, { attribute: 'owner' }],
    });
    expect(shown(behind.id)).toMatchObject({ missing: [], waits_for: [{ action: head.id, title: 'calendar.delete', state: 'deferred' }], blocks: [] });
    const detail = valueOf(await deferralDetail(stage.parts, await stage.viewer('owner'), shown(head.id)?.id ?? noDeferral()));
    expect(detail).toMatchObject({
      arguments: [{ path: 'id', value: 'standup', source: 'request' }], requests: ['Delete the entry standup, then note it.'], agent_reason: 'Tidying up.',
    });
    expect(detail.receipts.map(({ kind }) => kind)).toEqual(['action_decided', 'deferral_opened']);
  });

  it('is theirs to see who are asked to decide or could supply a fact, and nobody else’s', async () => {
    const conflict = await propose(await open('Close the ticket.'), 'tickets.update', { id: 'T-9', state: 'closed' });
    const fact = await propose(await open('Fetch the price list.'), 'browser.download', { url: 'https://example.com/prices', path: '/srv/prices' });
    const other = await propose(await open(), 'calendar.delete', { id: 'standup' });
    const seenBy = async (who: string) => {
      const { items } = await deferralsView(stage.parts, await stage.viewer(who));
      return [conflict, fact, other].map(({ id }) => items.find(({ action }) => action === id) !== undefined);
    };
    expect(await seenBy('owner')).toEqual([true, true, true]);
    expect(await seenBy('requester')).toEqual([true, true, true]);
    expect(await seenBy('second')).toEqual([true, true, false]);
    expect(await seenBy('admin')).toEqual([false, false, false]);
    const { items } = await deferralsView(stage.parts, await stage.viewer('owner'));
    const hidden = items.find(({ action }) => action === other.id)?.id ?? noDeferral();
    expect(codeOf(await deferralDetail(stage.parts, await stage.viewer('second'), hidden))).toBe('not_found');
    expect(items.find(({ action }) => action === conflict.id)).toMatchObject({ approval: conflict.approval.id, expires_at: conflict.approval.expires_at });
  });
});

function noDeferral(): never {
  throw new Error('It is not in the list.');
}

it('what the log says of all this can be read back, holds together, and is decided the same way again', async () => {
  expect(await unreadableReceipts(stage.parts)).toEqual([]);
  const { plane } = stage;
  const { log, content, authority } = plane.stores;
  const { signer } = await ownServiceKey(plane.stateDirectory, 'console');
  const bundle = await exportBundle({ workspace: plane.workspace, log, content, authority, sha256, signer, productVersion: 'test' }, { withhold: false, now: new Date().toISOString() });
  const rederive = rederiveWith(sha256, stockCatalogue(sha256));
  const report = await verifyBundle(valueOf(bundle).bytes, { sha256, verifySignature, root: plane.provisioned.fingerprint, rederive });
  expect(report.checks.filter(({ state }) => state !== 'pass')).toEqual([]);
  expect(report.verdict).toBe('verified');
  expect(report.rederived.notes).toEqual([]);
  expect(report.rederived.reproduced).toBeGreaterThan(15);
  expect(new Set(report.pairing.map(({ verdict }) => verdict))).toEqual(new Set(['permit_unused', 'denied', 'expired', 'outcome_missing', 'withdrawn', 'deferred', 'held']));
});
