import { describe, expect, it } from 'vitest';

import { nextTrustRoot } from '@/lib/authority/next-trust-root';
import { signTrustRoot, trustRootDigest } from '@/lib/authority/sign-documents';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { toBase64 } from '@/lib/shared/encoding';
import type { KeyId, ReceiptId } from '@/lib/shared/ids';
import { testId, testKeys, testTime, type BundleChoice, type LedgerBuilder } from '@/lib/testing/ledger-builder';
import { beginStory, people, storyFingerprint, storyRoot } from '@/lib/testing/ledger-story';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature, testKey } from '@/lib/testing/node-crypto';

import { verifyBundle } from './verify-bundle';

const heir = testKey('heir');
const other = testKey('other recovery');
const hour = 3600;

const ownedBy = (before: TrustRoot, changes: Partial<TrustRoot> = {}): TrustRoot =>
  nextTrustRoot(before, { ...changes, owners: [{ person: people.approver, key: { id: heir.signer.keyId as KeyId, kind: 'browser-ed25519', public_key: toBase64(heir.publicKey) } }] }, { createdAt: testTime(5), sha256 });

const owner = { kind: 'person', id: storyRoot.owners[0]?.person ?? '' } as const;

async function announce(ledger: LedgerBuilder, root: TrustRoot, at: number, signer = testKeys.recovery) {
  const envelope = await signTrustRoot(root, [signer.signer]);
  return await ledger.append('recovery_announced', { version: root.version, digest: trustRootDigest(root, sha256), previous_digest: trustRootDigest(storyRoot, sha256), by: { kind: 'person', id: people.approver }, envelope, at: testTime(at) }, testKeys.console);
}

async function complete(ledger: LedgerBuilder, root: TrustRoot, at: number) {
  ledger.trustRoots.push(await signTrustRoot(root, [testKeys.recovery.signer]));
  await ledger.append('trust_root_changed', { version: root.version, digest: trustRootDigest(root, sha256), previous_digest: root.previous, signers: [testKeys.recovery.signer.keyId as KeyId], at: testTime(at) }, testKeys.console);
}

const cancel = (ledger: LedgerBuilder, root: TrustRoot, announced: ReceiptId, by: { readonly kind: 'person'; readonly id: string }, at: number) =>
  ledger.append('recovery_cancelled', { digest: trustRootDigest(root, sha256), announced, by, at: testTime(at) }, testKeys.console);

async function faults(ledger: LedgerBuilder, choice: BundleChoice = {}) {
  await ledger.checkpoint();
  const { checks, verdict } = await verifyBundle(await ledger.bytes(choice), { sha256, verifySignature, root: storyFingerprint });
  return { verdict, found: checks.filter(({ state }) => state !== 'pass').map(({ id, state, detail }) => `${id} ${state}: ${detail}`).join(' ') };
}

describe('a trust root that only the recovery key signed', () => {
  it('is accepted when the log announced it a day before and no owner cancelled', async () => {
    const ledger = await beginStory();
    const root = ownedBy(storyRoot);
    await announce(ledger, root, 100);
    await complete(ledger, root, 100 + 24 * hour);
    expect(await faults(ledger)).toEqual({ verdict: 'verified', found: '' });
  });

  it('is refused a second before the day is over, and without any announcement', async () => {
    const root = ownedBy(storyRoot);
    const early = await beginStory();
    await announce(early, root, 100);
    await complete(early, root, 99 + 24 * hour);
    expect((await faults(early)).found).toContain('has not been announced for 24 hours');
    const silent = await beginStory();
    await complete(silent, root, 100 + 24 * hour);
    expect((await faults(silent)).found).toContain('has not been announced for 24 hours');
  });

  it('is refused when it was announced behind its coming into force', async () => {
    const ledger = await beginStory();
    const root = ownedBy(storyRoot);
    await complete(ledger, root, 100);
    await announce(ledger, root, 101);
    expect((await faults(ledger)).found).toContain('has not been announced for 24 hours');
  });

  it('is refused once an owner cancelled it, however often it is announced again', async () => {
    const ledger = await beginStory();
    const root = ownedBy(storyRoot);
    await cancel(ledger, root, await announce(ledger, root, 100), owner, 200);
    await announce(ledger, root, 300);
    await complete(ledger, root, 300 + 25 * hour);
    const { found } = await faults(ledger);
    expect(found).toContain('has not been announced for 24 hours');
    expect(found).toContain('announced again that an owner had cancelled');
  });

  it.each([
    ['the cool-off', { cool_off_seconds: storyRoot.cool_off_seconds + 1 }],
    ['the key kinds', { key_kinds: { ...storyRoot.key_kinds, low: ['passkey'] } }],
    ['the services', { services: storyRoot.services.slice(0, 1) }],
    ['the recovery key', { recovery: { key: { id: other.signer.keyId as KeyId, kind: 'file-ed25519', public_key: toBase64(other.publicKey) } } }],
  ] as const)('changes owner keys and not %s', async (_what, changes) => {
    const root = ownedBy(storyRoot, changes);
    const ledger = await beginStory();
    await announce(ledger, root, 100);
    await complete(ledger, root, 100 + 24 * hour);
    expect((await faults(ledger)).found).toContain('may replace owner keys and nothing else');
  });

  it('stays open in a bundle that leaves receipts of the notice out: there nothing shows that no owner cancelled', async () => {
    const ledger = await beginStory();
    const root = ownedBy(storyRoot);
    await announce(ledger, root, 100);
    await ledger.append('calls_refused', { by: { kind: 'agent', id: 'helper' }, from: testTime(100), to: testTime(101), counts: [{ code: 'forbidden', count: 1 }], at: testTime(101) });
    await complete(ledger, root, 100 + 24 * hour);
    const { found } = await faults(ledger, { from: ledger.size - 1 });
    expect(found).toMatch(/^trust_root unknown: .*no owner cancelled/);
  });
});

describe('the receipts of a recovery', () => {
  it('announce only what the recovery key of the root in force signed', async () => {
    const ledger = await beginStory();
    await announce(ledger, ownedBy(storyRoot), 100, testKeys.owner);
    expect((await faults(ledger)).found).toContain('administration fail');
  });

  it('cancel only what was announced, and in an owner’s name', async () => {
    const root = ownedBy(storyRoot);
    const nothing = await beginStory();
    await cancel(nothing, root, testId('receipt', 0), owner, 100);
    expect((await faults(nothing)).found).toContain('had not been announced');
    const stranger = await beginStory();
    await cancel(stranger, root, await announce(stranger, root, 100), { kind: 'person', id: people.approver }, 101);
    expect((await faults(stranger)).found).toContain('no owner');
  });
});
