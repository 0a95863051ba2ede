import { describe, expect, test } from 'vitest';

import { cryptography, listedKey, testRoot } from '@/lib/testing/authority-documents';
import { nodeSha256 as sha256 } from '@/lib/testing/node-crypto';

import { nextTrustRoot, revokeServiceKey, rotateServiceKey } from './next-trust-root';
import { parseTrustRoot } from './parse-trust-root';
import { delegationAt } from './service-keys';
import { signTrustRoot, trustRootBytes, trustRootDigest } from './sign-documents';
import type { TrustRoot } from './trust-root';
import { verifyTrustRootChain } from './verify-trust-root';

const ada = listedKey('ada');
const plane = listedKey('plane').entry;
const next = listedKey('plane next').entry;
const first = testRoot();
const made = { createdAt: '2027-04-01T09:00:00.000Z', sha256 } as const;

const accepted = async (...roots: readonly TrustRoot[]) => {
  const envelopes = await Promise.all(roots.map((root) => signTrustRoot(root, [ada.signer])));
  return (await verifyTrustRootChain(envelopes, trustRootDigest(first, sha256), cryptography)).ok;
};
const rangeOf = (root: TrustRoot, id: string) => root.services.filter(({ key }) => key.id === id).map(({ role, from, to }) => ({ role, from, to }));

describe('the next trust root', () => {
  test('follows the one before, which its owners’ signatures accept', async () => {
    const second = nextTrustRoot(first, { cool_off_seconds: 60 }, made);
    expect(second).toEqual({ ...first, version: 2, previous: trustRootDigest(first, sha256), cool_off_seconds: 60, created_at: made.createdAt });
    expect(await accepted(first, second)).toBe(true);
  });

  test('rotates a key with overlap: the successor takes the role over while the retired one still signs', async () => {
    const second = rotateServiceKey(first, { retired: plane.id, successor: next, from: 100, until: 120 }, made);
    expect(rangeOf(second, plane.id)).toEqual([{ role: 'plane', from: 0, to: 120 }]);
    expect(rangeOf(second, next.id)).toEqual([{ role: 'plane', from: 100, to: undefined }]);
    expect(await accepted(first, second)).toBe(true);
    expect(parseTrustRoot(trustRootBytes(second)).ok).toBe(true);
  });

  test('leaves no position at which neither key could sign, and never lengthens the retired one’s range', () => {
    expect(() => rotateServiceKey(first, { retired: plane.id, successor: next, from: 100, until: 98 }, made)).toThrow(RangeError);
    const never = revokeServiceKey(first, plane.id, null, made);
    expect(() => rotateServiceKey(never, { retired: plane.id, successor: next, from: 100, until: 120 }, made)).toThrow(RangeError);
    const ended = rotateServiceKey(first, { retired: plane.id, successor: next, from: 10, until: 20 }, made);
    const again = rotateServiceKey(ended, { retired: plane.id, successor: listedKey('third').entry, from: 15, until: 90 }, made);
    expect(rangeOf(again, plane.id)).toEqual([{ role: 'plane', from: 0, to: 20 }]);
  });

  test('revokes a key from the position after the last good one, or entirely', async () => {
    const revoked = revokeServiceKey(first, plane.id, 41, made);
    expect(rangeOf(revoked, plane.id)).toEqual([{ role: 'plane', from: 0, to: 41 }]);
    const never = revokeServiceKey(first, plane.id, null, made);
    const roots = [{ index: 0, root: first }, { index: 50, root: never }];
    expect([0, 49, 50, 1_000_000].map((index) => delegationAt(roots, plane.id, index).state)).toEqual(['withdrawn', 'withdrawn', 'not_begun', 'not_begun']);
    expect(await accepted(first, revoked)).toBe(true);
    expect(await accepted(first, never)).toBe(true);
  });

  test('is not made for a key that the root does not list', () => {
    expect(() => revokeServiceKey(first, next.id, 3, made)).toThrow(RangeError);
  });
});
