import { describe, expect, it } from 'vitest';

import { trustRootBytes, trustRootDigest } from '@/lib/authority/sign-documents';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { sha256 } from '@/lib/client/hash';
import type { PreparedTrustChange } from '@/lib/contracts/console/trust';
import { fromUtf8 } from '@/lib/shared/encoding';
import { listedKey, nextRoot, person, testRoot } from '@/lib/testing/authority-documents';

import { checkRecovery } from './check-recovery';
import { judgeRecoveryKey } from './judge-recovery-key';

const root = testRoot();
const digest = trustRootDigest(root, sha256);

describe('a key that is to recover', () => {
  const view = { root, fingerprint: digest, former_recovery_keys: [{ id: listedKey('older').entry.id, until: 3 }] };

  it.each([
    ['older', 'This recovery key was replaced: trust root 3 was the last to list it.'],
    ['ada', 'This is an owner’s key, not the recovery key.'],
    ['elsewhere', 'This key belongs to another Countersign.'],
  ])('of %s is refused, with which it is and a way out', (name, detail) => {
    const judged = judgeRecoveryKey(view, listedKey(name).entry.id);
    expect(judged).toMatchObject({ ok: false, error: { code: 'signature_invalid', detail } });
    expect(!judged.ok && judged.error.fix).toMatch(/\.$/);
  });

  it('is the one that the trust root in force lists', () => {
    expect(judgeRecoveryKey(view, root.recovery.key.id)).toEqual({ ok: true, value: null });
  });
});

describe('what the recovery key is to sign', () => {
  const owners = [{ person: person('ben'), key: listedKey('ben').entry }];
  const prepared = (next: TrustRoot, before = root) => ({ at: next.created_at, before: textOf(before), trust_root: { document: { text: textOf(next) } } }) as PreparedTrustChange;
  const next = nextRoot(root, { owners, created_at: '2027-03-02T09:00:00.000Z' });

  it('is the root in force with the chosen owners and nothing else', () => {
    expect(checkRecovery(prepared(next), { digest }, owners)).toBeNull();
  });

  it.each<[string, Partial<TrustRoot>]>([
    ['another owner', { owners: [...owners, { person: person('eve'), key: listedKey('eve').entry }] }],
    ['another recovery key', { recovery: { key: listedKey('eve').entry } }],
    ['another cool-off', { cool_off_seconds: 60 }],
    ['another service key', { services: [] }],
  ])('is not signed with %s', (_what, changes) => {
    expect(checkRecovery(prepared({ ...next, ...changes }), { digest }, owners)).toBe('It changes something else than the owners that you chose.');
  });

  it('is not signed when it is made of another root', () => {
    expect(checkRecovery(prepared(next, testRoot({ cool_off_seconds: 5 })), { digest }, owners)).toBe('It is not made of the trust root that this page shows.');
  });
});

const textOf = (one: TrustRoot): string => fromUtf8(trustRootBytes(one)) ?? '';
