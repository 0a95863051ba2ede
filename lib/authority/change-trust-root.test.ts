import { describe, expect, test } from 'vitest';

import { listedKey, person, testRoot } from '@/lib/testing/authority-documents';
import { nodeSha256 as sha256 } from '@/lib/testing/node-crypto';

import { changedTrustRoot, type TrustRootChange } from './change-trust-root';
import { browserKeyKinds, defaultKeyKinds } from './key-kinds';
import { trustRootDigest } from './sign-documents';

const made = { createdAt: '2027-04-01T09:00:00.000Z', sha256 } as const;
const ada = { person: person('ada'), key: listedKey('ada').entry };
const ben = { person: person('ben'), key: listedKey('ben').entry };
const before = testRoot({ owners: [ada, ben] });

const outcome = (change: TrustRootChange, of = before) => {
  const next = changedTrustRoot(of, change, made);
  return next.ok ? next.value : next.error.detail;
};

describe('a change of the trust root', () => {
  test.each<[string, TrustRootChange, object]>([
    ['replaces owners', { owners: [ben] }, { owners: [ben] }],
    ['raises thresholds, the one of recovery stays', { thresholds: { policy: 2, loosening: 2, root: 2 } }, { thresholds: { policy: 2, loosening: 2, root: 2, recovery: 1 } }],
    ['takes browser keys away', { key_kinds: defaultKeyKinds }, { key_kinds: defaultKeyKinds }],
    ['sets a cool-off, none included', { cool_off_seconds: 3600 }, { cool_off_seconds: 3600 }],
    ['replaces the recovery key', { recovery_key: listedKey('spare').entry }, { recovery: { key: listedKey('spare').entry } }],
  ])('%s and leaves the rest', (_what, change, parts) => {
    expect(outcome(change)).toEqual({ ...before, ...parts, version: 2, previous: trustRootDigest(before, sha256), created_at: made.createdAt });
  });

  test('rotates and withdraws service keys', () => {
    const plane = listedKey('plane').entry.id;
    const rotated = outcome({ service: { does: 'rotate', retired: plane, successor: listedKey('next').entry, from: 5, until: 9 } });
    expect(rotated).toMatchObject({ services: [{ from: 0, to: 9 }, { role: 'console' }, { role: 'plane', from: 5 }] });
    expect(outcome({ service: { does: 'revoke', key: plane, last_good: 3 } })).toMatchObject({ services: [{ from: 0, to: 3 }, { role: 'console' }] });
  });

  test.each<[string, TrustRootChange, RegExp]>([
    ['thresholds that its owners cannot reach', { thresholds: { policy: 1, loosening: 3, root: 1 } }, /Only 2 owners .* 3 are needed/],
    ['kinds of key that no owner has', { key_kinds: { ...browserKeyKinds, root: ['passkey'] } }, /Only 0 owners/],
    ['the recovery key as an owner’s', { owners: [ada, { person: ben.person, key: listedKey('recovery').entry }] }, /appears twice/],
    ['a service’s key as an owner’s', { owners: [ada, { person: ben.person, key: listedKey('plane').entry }] }, /appears twice/],
    ['a key under another id', { owners: [ada, { person: ben.person, key: { ...ben.key, id: listedKey('zoe').entry.id } }] }, /not the hash/],
    ['a cool-off of months', { cool_off_seconds: 31 * 86_400 }, /at most 30 days/],
    ['no owner at all', { owners: [] }, /./],
    ['nothing', {}, /change nothing/],
    ['what is so already', { cool_off_seconds: 0, owners: [ada, ben] }, /change nothing/],
    ['a key that is not listed', { service: { does: 'revoke', key: ben.key.id, last_good: 1 } }, /does not list/],
    ['a gap in which nobody could sign', { service: { does: 'rotate', retired: listedKey('plane').entry.id, successor: listedKey('next').entry, from: 9, until: 5 } }, /successor/],
  ])('is refused for %s', (_what, change, why) => {
    expect(outcome(change)).toMatch(why);
  });
});
