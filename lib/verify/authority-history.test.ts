import { describe, expect, it } from 'vitest';

import { rosterPayloadType, type Roster } from '@/lib/authority/roster';
import { policyRevisionSchema } from '@/lib/authority/policy-revision';
import { signPolicy, signPolicyStatement } from '@/lib/authority/policy-statement';
import { trustRootPayloadType, type TrustRoot } from '@/lib/authority/trust-root';
import { asJson } from '@/lib/shared/as-json';
import { canonicalBytes } from '@/lib/shared/canonical-json';
import { signEnvelope } from '@/lib/shared/dsse';
import { digestOf, toBase64, utf8 } from '@/lib/shared/encoding';
import type { KeyId } from '@/lib/shared/ids';
import { testKeys, testTime, testWorkspace, type LedgerBuilder } from '@/lib/testing/ledger-builder';
import { approvedAction, allowedAction, beginStory, decided, people, policyText, storyFingerprint, storyRoot, storyRoster } from '@/lib/testing/ledger-story';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature, testKey, type TestKey } from '@/lib/testing/node-crypto';

import { verifyBundle } from './verify-bundle';

const nextPlane = testKey('next plane');
const bytesOf = (document: object) => canonicalBytes(asJson(document));
const signers = [testKeys.owner.signer.keyId as KeyId];

const [planeService, consoleService] = storyRoot.services;
if (!planeService || !consoleService) throw new Error('The story has two services.');

/** The plane's key ends at position 6; its successor's begins there, so the two overlap. */
const rotated: TrustRoot = {
  ...storyRoot,
  version: 2,
  previous: digestOf(sha256, bytesOf(storyRoot)),
  services: [
    { ...planeService, to: 6 },
    { key: { id: nextPlane.signer.keyId as KeyId, kind: 'file-ed25519', public_key: toBase64(nextPlane.publicKey) }, role: 'plane', from: 4 },
    consoleService,
  ],
};

async function changeRoot(ledger: LedgerBuilder, root: TrustRoot, owner: TestKey = testKeys.owner): Promise<void> {
  ledger.trustRoots.push(await signEnvelope(trustRootPayloadType, bytesOf(root), [owner.signer]));
  await ledger.append('trust_root_changed', { version: root.version, digest: digestOf(sha256, bytesOf(root)), previous_digest: root.previous, signers }, testKeys.console);
}

async function reportOf(ledger: LedgerBuilder, signer: TestKey = testKeys.plane) {
  await ledger.checkpoint(signer);
  const report = await verifyBundle(await ledger.bytes(), { sha256, verifySignature, root: storyFingerprint });
  return { verdict: report.verdict, failures: report.checks.filter(({ state }) => state === 'fail') };
}

describe('keys rotate by log positions', () => {
  it('receipts of the old key before its end and of the new one after hold', async () => {
    const ledger = await beginStory();
    await changeRoot(ledger, rotated);
    const body = decided(ledger, 1, 1);
    await ledger.append('action_decided', body);
    await ledger.append('permit_refused', { permit: body.permit?.id as never, action: body.action, code: 'permit_expired', by: { kind: 'service', id: 'plane' } }, nextPlane);
    expect(await reportOf(ledger, nextPlane)).toEqual({ verdict: 'verified', failures: [] });
  });

  it('a receipt of the old key after its end is refused, at that position, and so is its checkpoint', async () => {
    const ledger = await beginStory();
    await changeRoot(ledger, rotated);
    await allowedAction(ledger, 1, 1);
    const { failures } = await reportOf(ledger);
    expect(failures.map(({ id }) => id)).toEqual(['receipts', 'checkpoints']);
    expect(failures[0]?.firstBad).toBe(7);
  });

  it('a later root withdraws a key from an earlier position on', async () => {
    const ledger = await beginStory();
    await allowedAction(ledger, 1, 1);
    await changeRoot(ledger, { ...rotated, services: rotated.services.map((one) => (one.key.id === planeService.key.id ? { ...one, to: 5 } : one)) });
    const { failures } = await reportOf(ledger, nextPlane);
    expect(failures).toMatchObject([{ id: 'receipts', firstBad: 6 }]);
  });

  it('a root that nobody of the one before signed is refused', async () => {
    const ledger = await beginStory();
    await changeRoot(ledger, rotated, testKey('stranger'));
    expect((await reportOf(ledger)).failures.map(({ id }) => id)).toContain('trust_root');
  });

  it('a root in the bundle that never came into force is refused, and so is one in force that is left out', async () => {
    const never = await beginStory();
    never.trustRoots.push(await signEnvelope(trustRootPayloadType, bytesOf(rotated), [testKeys.owner.signer]));
    expect((await reportOf(never)).failures.map(({ id }) => id)).toContain('trust_root');
    const left = await beginStory();
    await changeRoot(left, rotated);
    left.trustRoots.pop();
    expect((await reportOf(left)).failures.map(({ id }) => id)).toContain('trust_root');
  });
});

describe('rosters', () => {
  const next: Roster = { ...storyRoster, version: 2, previous: digestOf(sha256, bytesOf(storyRoster)), people: storyRoster.people.filter(({ id }) => id !== people.approver) };
  const changeRoster = async (ledger: LedgerBuilder, owner: TestKey = testKeys.owner) => {
    ledger.rosters.push(await signEnvelope(rosterPayloadType, bytesOf(next), [owner.signer]));
    await ledger.append('roster_changed', { version: 2, digest: digestOf(sha256, bytesOf(next)), previous_digest: next.previous, signers }, testKeys.console);
  };

  it('a vote before its voter left the roster holds, one after does not', async () => {
    const before = await beginStory();
    await approvedAction(before, 1, 1);
    await changeRoster(before);
    expect((await reportOf(before)).failures).toEqual([]);
    const after = await beginStory();
    await changeRoster(after);
    await approvedAction(after, 1, 1);
    expect((await reportOf(after)).failures).toMatchObject([{ id: 'votes', firstBad: 7 }]);
  });

  it('a roster that no owner signed is refused', async () => {
    const ledger = await beginStory();
    await changeRoster(ledger, testKey('stranger'));
    expect((await reportOf(ledger)).failures).toMatchObject([{ id: 'rosters', firstBad: 4 }]);
  });
});

describe('policies', () => {
  const changePolicy = async (ledger: LedgerBuilder, text: string, revision: number, owner: TestKey = testKeys.owner) => {
    const bytes = utf8(text);
    const digest = digestOf(sha256, bytes);
    const base_digest = digestOf(sha256, utf8(policyText));
    const statement = { schema: policyRevisionSchema, workspace: testWorkspace, revision, base_digest, digest, signed_at: testTime(1) } as const;
    ledger.policies.push({ signature: await signPolicy(bytes, [owner.signer]), apply: await signPolicyStatement(statement, [owner.signer]) });
    const by = { kind: 'person', id: people.owner } as const;
    await ledger.append('policy_applied', { revision, digest, base_digest, signers, change: 'not_proved', self_signed: true, origin: 'console', by }, testKeys.console);
    return { revision, digest };
  };

  it('a decision names the revision in force at its position, not the one before', async () => {
    const ledger = await beginStory();
    const policy = await changePolicy(ledger, `${policyText}# two\n`, 2);
    await ledger.append('action_decided', decided(ledger, 1, 1, { policy }));
    expect((await reportOf(ledger)).failures).toEqual([]);
    const stale = await beginStory();
    await changePolicy(stale, `${policyText}# two\n`, 2);
    await stale.append('action_decided', decided(stale, 1, 1));
    expect((await reportOf(stale)).failures).toMatchObject([{ id: 'policies', firstBad: 5 }]);
  });

  it('a rollback is a new revision with an old text, and holds', async () => {
    const ledger = await beginStory();
    const policy = await changePolicy(ledger, policyText, 2);
    await ledger.append('action_decided', decided(ledger, 1, 1, { policy }));
    expect((await reportOf(ledger)).failures).toEqual([]);
  });

  it('a revision that no owner signed, or that skips one, is refused', async () => {
    const unsigned = await beginStory();
    await changePolicy(unsigned, 'id: mine\n', 2, testKey('stranger'));
    expect((await reportOf(unsigned)).failures).toMatchObject([{ id: 'policies', firstBad: 4 }]);
    const skipping = await beginStory();
    await changePolicy(skipping, 'id: mine\n', 3);
    expect((await reportOf(skipping)).failures).toMatchObject([{ id: 'policies', firstBad: 4 }]);
  });

  it('only a denial may name no policy', async () => {
    const ledger = await beginStory();
    await ledger.append('action_decided', decided(ledger, 1, 1, { policy: null }));
    expect((await reportOf(ledger)).failures).toMatchObject([{ id: 'policies', firstBad: 4 }, { id: 'rederivation', firstBad: 4 }]);
    const denied = await beginStory();
    const { permit: _permit, ...body } = decided(denied, 1, 1, { policy: null, decision: 'DENY', state: 'denied', code: 'policy_unsigned', snapshot_digest: null });
    await denied.append('action_decided', body);
    expect((await reportOf(denied)).failures).toEqual([]);
  });
});
