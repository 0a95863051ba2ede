import { describe, expect, test } from 'vitest';

import { signEnvelope, type Envelope, type Signer } from '@/lib/shared/dsse';
import { toBase64, utf8 } from '@/lib/shared/encoding';
import type { PublicKeyEntry } from '@/lib/shared/keys';
import { cryptography, listedKey, listedPerson, person, testRoot, testRoster } from '@/lib/testing/authority-documents';
import { nodeSha256, testKey } from '@/lib/testing/node-crypto';
import { testPasskey } from '@/lib/testing/passkey';

import { defaultKeyKinds } from './key-kinds';
import { signKeyEnrolment, verifyKeyEnrolment } from './key-enrolment';
import { policyPayloadType } from './policy-revision';
import { rosterDigest, rosterBytes, signRoster, signTrustRoot, trustRootBytes, trustRootDigest } from './sign-documents';
import { signedByOwners } from './signed-by-owners';
import { trustRootPayloadType, type TrustRoot } from './trust-root';
import { verifyRoster } from './verify-roster';
import { verifyTrustRootChain } from './verify-trust-root';

const passkey = testPasskey('ada');
const raw = testKey('ada');
/** The passkey's entry, answered for by a raw key: what a browser could sign without asking anybody. */
const liar: Signer = { keyId: passkey.entry.id, sign: raw.signer.sign };

const strict = testRoot({ owners: [{ person: person('ada'), key: passkey.entry }], key_kinds: defaultKeyKinds });
const chainOf = async (root: TrustRoot, signer: Signer) => {
  const result = await verifyTrustRootChain([await signTrustRoot(root, [signer])], trustRootDigest(root, nodeSha256), cryptography);
  return result.ok ? 'accepted' : result.error.detail;
};

/** A key's entry under another kind, with the id that its bytes have. */
const as = (entry: PublicKeyEntry, kind: PublicKeyEntry['kind']): PublicKeyEntry => ({ ...entry, kind });

describe('a trust root whose owner has a passkey', () => {
  test('is accepted with the owner’s assertion under the strict table of kinds', async () => {
    expect(await chainOf(strict, passkey.signer)).toBe('accepted');
  });

  test('is refused with a raw signature in the passkey’s name', async () => {
    expect(await chainOf(strict, liar)).not.toBe('accepted');
  });

  test.each<[string, Partial<TrustRoot>]>([
    ['a raw key listed as a passkey', { owners: [{ person: person('ada'), key: as(listedKey('ada').entry, 'passkey') }] }],
    ['a passkey listed as a file key', { owners: [{ person: person('ada'), key: as(passkey.entry, 'file-ed25519') }] }],
    ['a passkey listed as a browser key', { owners: [{ person: person('ada'), key: as(passkey.entry, 'browser-ed25519') }] }],
    ['a passkey that signs receipts', { services: [{ key: testPasskey('plane').entry, role: 'plane', from: 0 }] }],
    ['a passkey as recovery key', { recovery: { key: testPasskey('recovery').entry } }],
  ])('is refused with %s', async (_what, change) => {
    expect(await chainOf(testRoot(change), passkey.signer)).toContain('does not fit its schema');
  });

  test('may not list the passkey under another key’s id', async () => {
    const root = testRoot({ owners: [{ person: person('ada'), key: { ...passkey.entry, id: listedKey('eve').entry.id } }] });
    expect(await chainOf(root, { ...passkey.signer, keyId: listedKey('eve').entry.id })).toContain('not the hash');
  });
});

describe('owners’ signatures by passkeys', () => {
  const policy = (signer: Signer) => signEnvelope(policyPayloadType, utf8('rules: []'), [signer]);
  const judged = async (envelope: Envelope, root = strict) => await signedByOwners(envelope, root, 'policy', cryptography.verify);

  test('count where the root allows the kind, of both algorithms', async () => {
    expect((await judged(await policy(passkey.signer))).people).toEqual([person('ada')]);
    const edDsa = testPasskey('ada', 'EdDSA');
    const root = { ...strict, owners: [{ person: person('ada'), key: edDsa.entry }] };
    expect((await judged(await policy(edDsa.signer), root)).people).toEqual([person('ada')]);
  });

  test('do not count where it does not', async () => {
    const root: TrustRoot = { ...strict, key_kinds: { ...strict.key_kinds, policy: ['file-ed25519'] } };
    expect(await judged(await policy(passkey.signer), root)).toMatchObject({ people: [], kindRefused: true });
  });

  test('are invalid when somebody signs raw in their name, or another passkey does', async () => {
    expect(await judged(await policy(liar))).toMatchObject({ people: [], invalid: true });
    expect(await judged(await policy({ ...testPasskey('eve').signer, keyId: passkey.entry.id }))).toMatchObject({ people: [], invalid: true });
  });

  test('an assertion for one document is none for another, nor for the same under another type', async () => {
    const over = await policy(passkey.signer);
    expect(await judged({ ...over, payload: toBase64(utf8('rules: [allow]')) })).toMatchObject({ invalid: true });
    expect(await judged({ ...over, payloadType: trustRootPayloadType })).toMatchObject({ invalid: true });
    const root = await signEnvelope(trustRootPayloadType, trustRootBytes(strict), [passkey.signer]);
    expect(await judged({ ...root, signatures: over.signatures })).toMatchObject({ invalid: true });
  });
});

describe('a roster', () => {
  test('lists passkeys of people, and is signed by an owner’s', async () => {
    const roster = testRoster({ people: [listedPerson('ada', { keys: [passkey.entry] }), listedPerson('ben', { keys: [testPasskey('ben', 'EdDSA').entry, listedKey('ben').entry] })] });
    expect(await verifyRoster(await signRoster(roster, [passkey.signer]), strict, cryptography)).toMatchObject({ ok: true, value: { digest: rosterDigest(roster, nodeSha256) } });
  });

  test('with a lying kind is refused, whoever signed it', async () => {
    const lying = testRoster({ people: [listedPerson('ada', { keys: [as(listedKey('ada').entry, 'passkey')] })] });
    expect(rosterBytes(lying).length).toBeGreaterThan(0);
    expect((await verifyRoster(await signRoster(lying, [passkey.signer]), strict, cryptography)).ok).toBe(false);
  });
});

describe('a passkey’s enrolment', () => {
  const ben = testPasskey('ben phone');
  const roster = testRoster({ people: [listedPerson('ada', { keys: [] }), listedPerson('ben')] });
  const enrolment = { workspace: strict.workspace, person: person('ben'), key: ben.entry, at: '2027-03-01T10:00:00.000Z' };
  const code = async (signers: readonly Signer[], key = ben.entry) => {
    const result = await verifyKeyEnrolment(await signKeyEnrolment({ ...enrolment, key }, signers), strict, roster, cryptography);
    return result.ok ? 'accepted' : result.error.code;
  };

  test('counts signed by itself and an owner’s passkey, or by itself and an earlier key', async () => {
    expect(await code([ben.signer, passkey.signer])).toBe('accepted');
    expect(await code([ben.signer, listedKey('ben').signer])).toBe('accepted');
  });

  test('does not prove itself with a raw signature, nor as another kind', async () => {
    expect(await code([{ keyId: ben.entry.id, sign: raw.signer.sign }, passkey.signer])).toBe('signature_invalid');
    expect(await code([ben.signer, passkey.signer], as(ben.entry, 'file-ed25519'))).toBe('signature_invalid');
    const claimed = as(listedKey('ben tablet').entry, 'passkey');
    expect(await code([listedKey('ben tablet').signer, passkey.signer], claimed)).toBe('signature_invalid');
  });
});
