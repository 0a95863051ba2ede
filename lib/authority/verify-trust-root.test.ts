import { describe, expect, test } from 'vitest';

import { signEnvelope, type Envelope } from '@/lib/shared/dsse';
import { toBase64, utf8 } from '@/lib/shared/encoding';
import { cryptography, listedKey, nextRoot, person, testId, testRoot } from '@/lib/testing/authority-documents';
import { digestOfDigit } from '@/lib/testing/held-actions';
import { nodeSha256 } from '@/lib/testing/node-crypto';

import { defaultKeyKinds, permitsBrowserKeysForHighImpact } from './key-kinds';
import { signTrustRoot, trustRootBytes, trustRootDigest } from './sign-documents';
import { trustRootPayloadType, type TrustRoot } from './trust-root';
import { verifyTrustRootChain, type RecoveryNotice } from './verify-trust-root';

const ada = listedKey('ada');
const ben = listedKey('ben');
const eve = listedKey('eve');
const recovery = listedKey('recovery');
const first = testRoot();
const fingerprint = trustRootDigest(first, nodeSha256);
const adaAndBen = [{ person: person('ada'), key: ada.entry }, { person: person('ben'), key: ben.entry }];

const verifyChain = (envelopes: readonly Envelope[], pinned = fingerprint, notice?: RecoveryNotice) =>
  verifyTrustRootChain(envelopes, pinned, cryptography, notice);

const refusal = async (envelopes: readonly Envelope[], pinned = fingerprint, notice?: RecoveryNotice) => {
  const result = await verifyChain(envelopes, pinned, notice);
  return result.ok ? 'accepted' : `${result.error.code}: ${result.error.detail}`;
};

describe('a first trust root', () => {
  test('is accepted when it has the pinned fingerprint and its owner signed it', async () => {
    const result = await verifyChain([await signTrustRoot(first, [ada.signer])]);
    expect(result).toEqual({ ok: true, value: { root: first, digest: fingerprint, fingerprint } });
  });

  test('is refused under another fingerprint, however well it is signed', async () => {
    expect(await refusal([await signTrustRoot(first, [ada.signer])], digestOfDigit('0'))).toContain('pinned fingerprint');
  });

  test('needs the signature of every one of its owners', async () => {
    const two = testRoot({ owners: adaAndBen });
    const pinned = trustRootDigest(two, nodeSha256);
    expect(await refusal([await signTrustRoot(two, [ada.signer])], pinned)).toContain('not every one');
    expect((await verifyChain([await signTrustRoot(two, [ada.signer, ben.signer])], pinned)).ok).toBe(true);
  });

  test('is refused when it is signed by a stranger', async () => {
    expect(await refusal([await signTrustRoot(first, [eve.signer])])).toContain('not every one');
  });

  test('is refused when a byte of its signature changes', async () => {
    const good = await signTrustRoot(first, [ada.signer]);
    const bad = { ...good, signatures: good.signatures.map(({ keyid }) => ({ keyid, sig: toBase64(new Uint8Array(64)) })) };
    expect(await refusal([bad])).toContain('not every one');
  });

  test('may not list a key under the id of another', async () => {
    const forged = testRoot({ owners: [{ person: person('ada'), key: { ...eve.entry, id: ada.entry.id } }] });
    expect(await refusal([await signTrustRoot(forged, [ada.signer])], trustRootDigest(forged, nodeSha256))).toContain('not the hash');
  });

  test('is not read from another kind of envelope, so that no signature means two things', async () => {
    const envelope = await signEnvelope('application/vnd.countersign.roster', trustRootBytes(first), [ada.signer]);
    expect(await refusal([envelope])).toContain('not a trust root');
  });

  test.each<[string, Partial<TrustRoot>]>([
    ['a threshold that its owners cannot reach', { thresholds: { policy: 2, loosening: 2, root: 1, recovery: 1 } }],
    ['an owner whose only key may not sign', { owners: [{ person: person('ada'), key: listedKey('ada', 'browser-ed25519').entry }], key_kinds: defaultKeyKinds }],
    ['the recovery key among the owners', { recovery: { key: ada.entry } }],
    ['a previous version although it is the first', { previous: digestOfDigit('1') }],
    ['a service key that ends before it begins', { services: [{ key: listedKey('plane').entry, role: 'plane', from: 5, to: 4 }] }],
    ['a day that does not exist', { created_at: '2027-02-30T09:00:00.000Z' }],
  ])('is refused with %s', async (_, changes) => {
    const root = testRoot(changes);
    expect(await refusal([await signTrustRoot(root, [ada.signer])], trustRootDigest(root, nodeSha256))).toContain('does not fit its schema');
  });

  test('is refused when it is not written canonically', async () => {
    const spaced = utf8(JSON.stringify(first, null, 2));
    expect(await refusal([await signEnvelope(trustRootPayloadType, spaced, [ada.signer])])).toContain('canonical');
  });

  test('an empty chain is no trust root', async () => {
    expect(await refusal([])).toContain('no trust root');
  });
});

describe('a later trust root', () => {
  const second = nextRoot(first, { owners: adaAndBen });
  const chain = async (root: TrustRoot, ...signers: Parameters<typeof signTrustRoot>[1]) => [
    await signTrustRoot(first, [ada.signer]),
    await signTrustRoot(root, signers),
  ];

  test('is accepted when an owner of the version before signed it', async () => {
    const result = await verifyChain(await chain(second, ada.signer));
    expect(result.ok && result.value.root.owners).toEqual(adaAndBen);
    expect(result.ok && result.value.fingerprint).toBe(fingerprint);
  });

  test('is refused when only its own new owners signed it', async () => {
    expect(await refusal(await chain(second, ben.signer))).toContain('too few owners');
  });

  test('is refused for one bad signature of an owner, even when the others would do', async () => {
    const wide = testRoot({ owners: adaAndBen });
    const start = await signTrustRoot(wide, [ada.signer, ben.signer]);
    const forger = { keyId: ben.signer.keyId, sign: eve.signer.sign };
    const next = await signTrustRoot(nextRoot(wide, { cool_off_seconds: 60 }), [ada.signer, forger]);
    expect(await refusal([start, next], trustRootDigest(wide, nodeSha256))).toContain('does not verify');
  });

  test('counts people, not keys: one owner with two keys is one signer', async () => {
    const spare = listedKey('ada spare');
    const wide = testRoot({ owners: [...adaAndBen, { person: person('ada'), key: spare.entry }], thresholds: { policy: 1, loosening: 1, root: 2, recovery: 1 } });
    const pinned = trustRootDigest(wide, nodeSha256);
    const start = await signTrustRoot(wide, [ada.signer, spare.signer, ben.signer]);
    const next = nextRoot(wide, { cool_off_seconds: 60 });
    expect(await refusal([start, await signTrustRoot(next, [ada.signer, spare.signer])], pinned)).toContain('too few owners');
    expect((await verifyChain([start, await signTrustRoot(next, [ada.signer, ben.signer])], pinned)).ok).toBe(true);
  });

  test.each<[string, Partial<TrustRoot>]>([
    ['skips a version', { version: 3 }],
    ['repeats a version', { version: 1, previous: null }],
    ['names another version before it', { previous: digestOfDigit('2') }],
    ['belongs to another workspace', { workspace: testId('workspace', 'other') }],
  ])('is refused when it %s', async (_, changes) => {
    expect(await refusal(await chain(nextRoot(first, changes), ada.signer))).toMatch(/^trust_root_invalid/);
  });
});

describe('the recovery key', () => {
  const lost = nextRoot(first, { owners: [{ person: person('ada'), key: listedKey('ada new').entry }] });
  const recovered = async (root: TrustRoot) => [await signTrustRoot(first, [ada.signer]), await signTrustRoot(root, [recovery.signer])];
  const aDay: RecoveryNotice = () => 24 * 3600;

  test('replaces owner keys after 24 hours of notice', async () => {
    expect((await verifyChain(await recovered(lost), fingerprint, aDay)).ok).toBe(true);
  });

  test('replaces nothing before that, or without any notice', async () => {
    expect(await refusal(await recovered(lost))).toContain('24 hours');
    expect(await refusal(await recovered(lost), fingerprint, () => 24 * 3600 - 1)).toContain('24 hours');
  });

  test('changes nothing but owner keys', async () => {
    const greedy = { ...lost, cool_off_seconds: 5 };
    expect(await refusal(await recovered(greedy), fingerprint, aDay)).toContain('nothing else');
  });
});

test('browser keys for anything above medium impact call for the banner', () => {
  expect(permitsBrowserKeysForHighImpact(testRoot())).toBe(true);
  expect(permitsBrowserKeysForHighImpact(testRoot({ key_kinds: defaultKeyKinds }))).toBe(false);
});
