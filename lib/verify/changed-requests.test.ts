import { describe, expect, it } from 'vitest';

import { extensionPayloadType, signExtension, type Extension } from '@/lib/approvals/extension';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { heldDeletion } from '@/lib/testing/held-actions';
import { testId, testKeys, testTime, type LedgerBuilder } from '@/lib/testing/ledger-builder';
import { approvedAction, beginStory, people, session, storyRoot, storyRoster, type HeldChanges } from '@/lib/testing/ledger-story';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature, testKey, type TestKey } from '@/lib/testing/node-crypto';

import { verifyBundle } from './verify-bundle';

// The decision stands at 4, the request at 5; what is told while it waits comes from 6 on.
const end = testTime(9);
const twice = testTime(13);

type Waiting = Parameters<NonNullable<HeldChanges['waiting']>>[0];
type Extended = { readonly signed?: Partial<Extension>; readonly said?: Partial<ReceiptPredicate<'approval_extended'>>; readonly key?: TestKey; readonly type?: string };

async function extend(ledger: LedgerBuilder, { approval, action, basis_digest }: Waiting, { signed = {}, said = {}, key = testKeys.approver, type }: Extended = {}) {
  const terms = { request: approval, basis_digest, person: people.approver, expires_at: twice, ...signed };
  const envelope = await signExtension(terms, testTime(6), key.signer);
  const body = { approval, action, person: terms.person, expires_at: terms.expires_at, envelope: { ...envelope, payloadType: type ?? extensionPayloadType }, ...said };
  await ledger.append('approval_extended', body, testKeys.console);
}
const escalate = (ledger: LedgerBuilder, { approval, action }: Waiting, said: Partial<ReceiptPredicate<'approval_escalated'>> = {}) =>
  ledger.append('approval_escalated', { approval, action, approvers: ['backup'], by: { kind: 'service', id: 'plane' }, ...said });
const pass = async (ledger: LedgerBuilder, seconds: number): Promise<void> => {
  for (let n = 0; n < seconds; n++) await ledger.append('calls_refused', { by: { kind: 'agent', id: 'agent-1' }, from: testTime(0), to: testTime(1), counts: [{ code: 'forbidden', count: 1 }] });
};

type Told = (ledger: LedgerBuilder, request: Waiting) => Promise<unknown>;

async function faultOf(told: Told, more: HeldChanges & { readonly root?: TrustRoot; readonly roster?: typeof storyRoster } = {}): Promise<string | undefined> {
  const { root = storyRoot, roster = storyRoster, ...changes } = more;
  const ledger = await beginStory(root, roster);
  await approvedAction(ledger, 1, 1, { expires_at: end, ...changes, waiting: (request) => told(ledger, request) });
  await ledger.checkpoint();
  const report = await verifyBundle(await ledger.bytes(), { sha256, verifySignature });
  const failed = report.checks.filter(({ state }) => state === 'fail');
  return (failed.find(({ id }) => id === 'votes') ?? failed[0])?.detail;
}
const withGroups = (groups: readonly string[]) => ({ ...storyRoster, people: storyRoster.people.map((one) => (one.id === people.approver ? { ...one, groups: [...groups] } : one)) });

describe('a request that was extended', () => {
  it('counts votes until its new end, and not after', async () => {
    const extended = (seconds: number): Told => async (ledger, request) => {
      await extend(ledger, request);
      await pass(ledger, seconds);
    };
    expect(await faultOf(extended(4))).toBeUndefined();
    expect(await faultOf(extended(6))).toContain('after the request had expired');
    expect(await faultOf((ledger) => pass(ledger, 4))).toContain('after the request had expired');
  });

  it('may be extended again before its new end', async () => {
    const again = (seconds: number): Told => async (ledger, request) => {
      await extend(ledger, request, { signed: { expires_at: testTime(11) } });
      await pass(ledger, seconds);
      await extend(ledger, request);
    };
    expect(await faultOf(again(3))).toBeUndefined();
    expect(await faultOf(again(5))).toContain('had expired when it was extended');
  });

  it.each([[13, false], [14, true]])('counts twice from the first of its line (%i s: %s)', async (seconds, tooLong) => {
    const anew = testId('approval', 9);
    const detail = await faultOf(async (ledger, request) => {
      const { approval, action, basis_digest } = request;
      await ledger.append('approval_requested', { approval: anew, session, action, basis_digest, approvers: ['approver'], quorum: 1, separation: true, excluded: [], expires_at: end, supersedes: approval });
      await ledger.append('approval_resolved', { approval, action, state: 'stale', votes: [], by: { kind: 'service', id: 'plane' }, superseded_by: anew });
      await extend(ledger, { ...request, approval: anew }, { signed: { expires_at: testTime(seconds) } });
    });
    expect(detail?.includes('more than twice its first time')).toBe(tooLong);
  });

  it.each<[string, Extended, string]>([
    ['to later than twice its first time', { signed: { expires_at: testTime(14) } }, 'more than twice its first time'],
    ['to its own end', { signed: { expires_at: end } }, 'does not end later'],
    ['to another end than was signed', { said: { expires_at: testTime(12) } }, 'another extension than the receipt states'],
    ['by a signature for another request', { signed: { request: testId('approval', 9) } }, 'another extension than the receipt states'],
    ['by a document of another type', { type: 'application/vnd.countersign.vote' }, 'another extension than the receipt states'],
    ['as one about another action', { said: { action: { id: testId('action', 1), digest: 'a'.repeat(64) as never } } }, 'about another action'],
    ['by somebody who was not asked', { signed: { person: people.owner }, key: testKeys.owner }, 'not routed'],
    ['by the person that the agent acts for', { signed: { person: people.requester }, key: testKeys.approver }, 'separation of duties bars'],
    ['with a key that is not listed', { key: testKey('stranger') }, 'does not list this key'],
  ])('%s is refused', async (_what, extended, detail) => {
    expect(await faultOf((ledger, request) => extend(ledger, request, extended))).toContain(detail);
  });

  it('with a kind of key that the trust root does not let approve this impact is refused', async () => {
    const root = { ...storyRoot, key_kinds: { ...storyRoot.key_kinds, medium: ['passkey' as const] } };
    expect(await faultOf(extend, { root })).toContain('browser-ed25519');
  });

  it('shows the same screen as before, and votes on it count', async () => {
    const held: NonNullable<HeldChanges['held']> = (approval, action_id) => heldDeletion({ approval, action_id, session });
    const told: Told = async (ledger, request) => {
      await extend(ledger, request);
      await pass(ledger, 4);
    };
    expect(await faultOf(told, { held })).toBeUndefined();
  });
});

describe('a request that was escalated', () => {
  it('counts votes of the backup from then on', async () => {
    const roster = withGroups(['backup']);
    expect(await faultOf(async () => undefined, { roster })).toContain('not routed');
    expect(await faultOf(escalate, { roster })).toBeUndefined();
  });

  it('counts a vote of the backup on the screen that was shown, whether any or all groups must approve', async () => {
    const roster = withGroups(['backup']);
    const held = (all_groups: boolean, after_s = 1): NonNullable<HeldChanges['held']> => (approval, action_id) =>
      heldDeletion({ approval, action_id, session, approvers: { groups: ['approver'], all_groups, quorum: 1, separation: true, escalate: { to: ['backup'], after_s } } });
    expect(await faultOf(escalate, { roster, held: held(false) })).toBeUndefined();
    expect(await faultOf(escalate, { roster, held: held(true) })).toBe('All groups had to approve, and nobody of approver did.');
    expect(await faultOf(escalate, { roster, held: held(false, 2) })).toContain('before its time');
    expect(await faultOf((ledger, request) => escalate(ledger, request, { approvers: ['others'] }), { roster, held: held(false) })).toContain('others than its rule names');
  });

  it('lets the backup extend it', async () => {
    const roster = withGroups(['backup']);
    const told: Told = async (ledger, request) => {
      await escalate(ledger, request);
      await extend(ledger, request);
    };
    expect(await faultOf(told, { roster })).toBeUndefined();
    expect(await faultOf(extend, { roster })).toContain('extended by somebody to whom it was not routed');
  });

  it('after it had expired is refused', async () => {
    const told: Told = async (ledger, request) => {
      await pass(ledger, 4);
      await escalate(ledger, request);
    };
    expect(await faultOf(told)).toContain('had expired when it was escalated');
  });
});
