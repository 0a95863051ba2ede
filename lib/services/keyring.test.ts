import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { delegationAt } from '@/lib/authority/service-keys';
import type { ServiceKey } from '@/lib/authority/trust-root';
import type { KeySigner } from '@/lib/ports/signer';
import { fromBase64 } from '@/lib/shared/encoding';
import { listedKey, testRoot } from '@/lib/testing/authority-documents';

import { keyring } from './keyring';

const signerOf = (name: string): KeySigner => {
  const { entry, signer } = listedKey(name);
  return { ...signer, publicKey: fromBase64(entry.public_key) ?? new Uint8Array() };
};
const [old, next] = [signerOf('plane'), signerOf('plane next')];
const listed = (name: string, from: number, to?: number, role: ServiceKey['role'] = 'plane'): ServiceKey => ({ key: listedKey(name).entry, role, from, ...(to === undefined ? {} : { to }) });

const ringAt = (position: number, services: readonly ServiceKey[] | null, halted = false) => {
  const ring = keyring('plane', [old, next]);
  ring.follow({ services, position, halted });
  return ring;
};
const usedAt = (position: number, services: readonly ServiceKey[]) => {
  const ring = ringAt(position, services);
  return ring.canSign() ? [ring.current().keyId, ring.current().until] : null;
};

describe('the keys of a process', () => {
  it('before there is a trust root, its own key signs, as the first root will have it', () => {
    expect(keyring('plane', [old, next]).current().keyId).toBe(old.keyId);
    expect(ringAt(5, null).at(4)?.keyId).toBe(old.keyId);
  });

  const rotation = [listed('plane', 0, 20), listed('plane next', 10)];
  it.each([
    [9, [old.keyId, 20]],
    [10, [next.keyId, undefined]],
    [20, [next.keyId, undefined]],
    [21, [next.keyId, undefined]],
  ])('at position %i of a rotation the newer key that may sign does', (position, expected) => {
    expect(usedAt(position, rotation)).toEqual(expected);
  });

  it('changes over by itself as the log grows, without another look at the root', () => {
    const ring = ringAt(8, rotation);
    ring.reached(9);
    expect(ring.current().keyId).toBe(old.keyId);
    ring.reached(10);
    expect(ring.current().keyId).toBe(next.keyId);
    ring.reached(3);
    expect(ring.standing().position).toBe(10);
  });

  it.each<[string, readonly ServiceKey[]]>([
    ['not listed', []],
    ['listed for another role', [listed('plane', 0, undefined, 'console')]],
    ['not begun', [listed('plane', 31)]],
    ['ended', [listed('plane', 0, 29)]],
  ])('a key that is %s refuses to sign, and no tree head is signed either', (_what, services) => {
    const ring = ringAt(30, services);
    expect(() => ring.current()).toThrow(expect.objectContaining({ name: 'KeyNotDelegated', position: 30 }));
    expect(ring.canSign()).toBe(false);
    expect(ring.at(30)).toBeNull();
  });

  it('a tree head is signed by a key that may sign at its last position, not by the one in use now', () => {
    const ring = ringAt(25, [listed('plane', 0, 12), listed('plane next', 13)]);
    expect([ring.at(12)?.keyId, ring.at(13)?.keyId]).toEqual([old.keyId, next.keyId]);
  });

  it('no tree head of a database that was set back is signed', () => {
    expect(ringAt(25, rotation, true).at(24)).toBeNull();
  });

  it('whatever the root lists, what is signed now counts at every position up to where it may land', () => {
    const range = fc.record({ from: fc.nat(20), length: fc.option(fc.nat(10)), role: fc.constantFrom('plane' as const, 'console' as const) });
    fc.assert(
      fc.property(range, range, fc.nat(25), (first, second, position) => {
        const services = [first, second].map(({ from, length, role }, at) => listed(at === 0 ? 'plane' : 'plane next', from, length === null ? undefined : from + length, role));
        const roots = [{ index: 0, root: testRoot({ services }) }];
        const counts = (keyId: string, index: number) => {
          const found = delegationAt(roots, keyId, index);
          return found.state === 'delegated' && found.service.role === 'plane';
        };
        const ring = ringAt(position, services);
        expect(ring.canSign()).toBe([old, next].some(({ keyId }) => counts(keyId, position)));
        if (!ring.canSign()) return;
        const { keyId, until = 40 } = ring.current();
        for (let index = position; index <= until; index++) expect(counts(keyId, index)).toBe(true);
        expect(until === 40 || !counts(keyId, until + 1)).toBe(true);
      }),
    );
  });
});
