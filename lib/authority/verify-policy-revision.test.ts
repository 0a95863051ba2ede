import { describe, expect, test } from 'vitest';

import type { Signer } from '@/lib/shared/dsse';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { cryptography, listedKey, person, testId, testRoot } from '@/lib/testing/authority-documents';
import { digestOfDigit } from '@/lib/testing/held-actions';
import { nodeSha256 } from '@/lib/testing/node-crypto';

import { defaultKeyKinds } from './key-kinds';
import type { ChangeClass, PolicyRevisionStatement, RevisionReference, StoredRevision } from './policy-revision';
import { signPolicy, signPolicyStatement } from './policy-statement';
import type { TrustRoot } from './trust-root';
import { verifyNextPolicyRevision, verifyPolicyRevision } from './verify-policy-revision';

const ada = listedKey('ada');
const ben = listedKey('ben');
const root = testRoot();
const pair = testRoot({
  owners: [{ person: person('ada'), key: ada.entry }, { person: person('ben'), key: ben.entry }],
  thresholds: { policy: 1, loosening: 2, root: 1, recovery: 1 },
});

const bytes = utf8('schema: countersign/policy/v1\nid: production\n');
const digest = digestOf(nodeSha256, bytes);
const statement: PolicyRevisionStatement = {
  schema: 'countersign/policy-revision/v1',
  workspace: testId('workspace', 'halden'),
  revision: 1,
  base_digest: null,
  digest,
  signed_at: '2027-03-01T09:10:00.000Z',
};

const stored = async (signers: readonly Signer[], changes: Partial<PolicyRevisionStatement> = {}): Promise<StoredRevision> => ({
  bytes,
  digest,
  signature: await signPolicy(bytes, signers),
  apply: await signPolicyStatement({ ...statement, ...changes }, signers),
});

const code = async (revision: StoredRevision, under: TrustRoot = root, change: ChangeClass = 'loosen') => {
  const result = await verifyPolicyRevision(revision, under, change, cryptography);
  return result.ok ? 'accepted' : result.error.code;
};

describe('a policy revision', () => {
  test('is loaded when an owner signed its exact bytes and its place', async () => {
    const result = await verifyPolicyRevision(await stored([ada.signer]), root, 'loosen', cryptography);
    expect(result).toEqual({ ok: true, value: { bytes, statement, signers: [person('ada')] } });
  });

  test('without a signature on text or place is not loaded', async () => {
    const good = await stored([ada.signer]);
    expect(await code({ ...good, signature: null })).toBe('policy_signature_missing');
    expect(await code({ ...good, apply: null })).toBe('policy_signature_missing');
  });

  test('whose row was altered is not loaded, whichever part was', async () => {
    const good = await stored([ada.signer]);
    const other = utf8('schema: countersign/policy/v1\nid: Production\n');
    expect(await code({ ...good, bytes: other })).toBe('policy_altered');
    expect(await code({ ...good, digest: digestOfDigit('0') })).toBe('policy_altered');
    expect(await code({ ...good, bytes: other, digest: digestOf(nodeSha256, other) })).toBe('policy_altered');
    expect(await code({ ...good, bytes: other, digest: digestOf(nodeSha256, other), signature: await signPolicy(other, [ada.signer]) })).toBe('policy_altered');
    expect(await code({ ...good, signature: await signPolicy(other, [ada.signer]) })).toBe('policy_altered');
  });

  test('cut off in the middle is not loaded', async () => {
    const good = await stored([ada.signer]);
    expect(await code({ ...good, bytes: bytes.subarray(0, 20) })).toBe('policy_altered');
  });

  test("with an owner's key id on somebody else's signature is not loaded", async () => {
    const forger: Signer = { keyId: ada.signer.keyId, sign: listedKey('eve').signer.sign };
    expect(await code(await stored([forger]))).toBe('policy_signature_invalid');
    expect(await code({ ...(await stored([ada.signer])), apply: await signPolicyStatement(statement, [forger]) })).toBe('policy_signature_invalid');
  });

  test('signed by a stranger is not loaded', async () => {
    expect(await code(await stored([listedKey('eve').signer]))).toBe('policy_signer_unknown');
    expect(await code(await stored([listedKey('recovery').signer]))).toBe('policy_signer_unknown');
    expect(await code(await stored([listedKey('plane').signer]))).toBe('policy_signer_unknown');
  });

  test('signed for another workspace is not loaded', async () => {
    expect(await code(await stored([ada.signer], { workspace: testId('workspace', 'other') }))).toBe('policy_signature_invalid');
  });

  test('signed by a kind of key that the root does not allow is not loaded', async () => {
    const strict = testRoot({
      owners: [{ person: person('ada'), key: listedKey('ada', 'browser-ed25519').entry }, { person: person('ben'), key: ben.entry }],
      key_kinds: defaultKeyKinds,
    });
    expect(await code(await stored([ada.signer]), strict)).toBe('key_kind_refused');
    expect(await code(await stored([ben.signer]), strict)).toBe('accepted');
  });

  test.each<[ChangeClass, string]>([
    ['tighten', 'accepted'],
    ['loosen', 'policy_signers_too_few'],
    ['mixed', 'policy_signers_too_few'],
    ['moved_authority', 'policy_signers_too_few'],
    ['not_proved', 'policy_signers_too_few'],
  ])('of class %s with one of two owners is %s', async (change, wanted) => {
    expect(await code(await stored([ada.signer], { class: 'tighten' }), pair, change)).toBe(wanted);
    expect(await code(await stored([ada.signer, ben.signer]), pair, change)).toBe('accepted');
  });

  test('needs the same people on text and place', async () => {
    const crossed = { ...(await stored([ada.signer])), apply: await signPolicyStatement(statement, [ben.signer]) };
    expect(await code(crossed, pair, 'tighten')).toBe('policy_signers_too_few');
  });
});

describe('a revision that is to replace another', () => {
  const inForce: RevisionReference = { revision: 4, digest: digestOfDigit('4') };
  const next = async (changes: Partial<PolicyRevisionStatement>, current: RevisionReference | null = inForce) => {
    const result = await verifyNextPolicyRevision(await stored([ada.signer], changes), root, 'loosen', current, cryptography);
    return result.ok ? 'accepted' : result.error.code;
  };

  test('rises by one on the text in force', async () => {
    expect(await next({ revision: 5, base_digest: inForce.digest })).toBe('accepted');
    expect(await next({}, null)).toBe('accepted');
  });

  test('is refused when it does not rise, so that an older one is never replayed', async () => {
    expect(await next({ revision: 4, base_digest: inForce.digest })).toBe('policy_not_newer');
    expect(await next({ revision: 1 })).toBe('policy_not_newer');
  });

  test('is refused when its base is no longer in force', async () => {
    expect(await next({ revision: 5, base_digest: digestOfDigit('3') })).toBe('policy_base_changed');
    expect(await next({ revision: 5 })).toBe('policy_base_changed');
    expect(await next({ revision: 6, base_digest: inForce.digest })).toBe('policy_base_changed');
  });
});
