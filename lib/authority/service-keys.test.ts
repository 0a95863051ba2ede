import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { listedKey, nextRoot, testRoot } from '@/lib/testing/authority-documents';

import { covers, delegatedKeysAt, delegatedRanges, delegationAt, rootInForceAt, type RootInForce } from './service-keys';
import type { ServiceKey, TrustRoot } from './trust-root';

const keys = ['one', 'two', 'three'].map((name) => listedKey(name).entry);
const [one, two] = keys;
if (!one || !two) throw new Error('There are keys.');

const inForce = (...roots: readonly (readonly [index: number, services: readonly ServiceKey[]])[]): readonly RootInForce[] => {
  let before: TrustRoot | undefined;
  return roots.map(([index, services]) => {
    before = before ? nextRoot(before, { services }) : testRoot({ services });
    return { index, root: before };
  });
};

const stateAt = (roots: readonly RootInForce[], key: string, index: number) => delegationAt(roots, key, index).state;

describe('a service key', () => {
  const rotated = inForce(
    [0, [{ key: one, role: 'plane', from: 0 }]],
    [5, [{ key: one, role: 'plane', from: 0, to: 9 }, { key: two, role: 'plane', from: 7 }]],
  );

  test.each([
    [0, 'delegated', 'unlisted'],
    [4, 'delegated', 'unlisted'],
    [6, 'delegated', 'not_begun'],
    [7, 'delegated', 'delegated'],
    [9, 'delegated', 'delegated'],
    [10, 'ended', 'delegated'],
  ])('at position %i of a rotation with overlap, the old one is %s and the new one %s', (index, old, next) => {
    expect([stateAt(rotated, one.id, index), stateAt(rotated, two.id, index)]).toEqual([old, next]);
    expect(delegatedKeysAt(rotated, 'plane', index).length).toBe([old, next].filter((state) => state === 'delegated').length);
  });

  test('withdrawn at a past position counts before it and not from there on, though the root in force there still says yes', () => {
    const revoked = inForce([0, [{ key: one, role: 'plane', from: 0 }]], [8, [{ key: one, role: 'plane', from: 0, to: 3 }, { key: two, role: 'plane', from: 8 }]]);
    expect([3, 4, 7, 8].map((index) => stateAt(revoked, one.id, index))).toEqual(['delegated', 'withdrawn', 'withdrawn', 'ended']);
    expect(delegationAt(revoked, one.id, 4)).toEqual({ state: 'withdrawn', version: 2 });
  });

  test('withdrawn once is withdrawn for ever: no later root gives a position back', () => {
    const services: readonly ServiceKey[] = [{ key: one, role: 'plane', from: 0 }];
    const given = inForce([0, services], [6, [{ key: one, role: 'plane', from: 0, to: 3 }]], [8, services]);
    expect([3, 4, 6, 8].map((index) => stateAt(given, one.id, index))).toEqual(['delegated', 'withdrawn', 'ended', 'delegated']);
    const dropped = inForce([0, services], [6, [{ key: one, role: 'plane', from: 0, to: 3 }]], [8, []]);
    expect(stateAt(dropped, one.id, 4)).toBe('withdrawn');
  });

  test('granted for positions that are past already does not count there', () => {
    const late = inForce([0, [{ key: one, role: 'plane', from: 0 }]], [6, [{ key: one, role: 'plane', from: 0 }, { key: two, role: 'plane', from: 0 }]]);
    expect([5, 6].map((index) => stateAt(late, two.id, index))).toEqual(['unlisted', 'delegated']);
  });

  test('no longer listed signs nothing more, and keeps what it signed before', () => {
    const dropped = inForce([0, [{ key: one, role: 'plane', from: 0 }]], [6, [{ key: two, role: 'plane', from: 6 }]]);
    expect([5, 6].map((index) => stateAt(dropped, one.id, index))).toEqual(['delegated', 'unlisted']);
  });

  test('that a later root lists under another role is withdrawn from the old one', () => {
    const moved = inForce([0, [{ key: one, role: 'plane', from: 0 }]], [6, [{ key: one, role: 'console', from: 0 }]]);
    expect(stateAt(moved, one.id, 5)).toBe('withdrawn');
    expect(delegatedKeysAt(moved, 'plane', 5)).toEqual([]);
    expect(delegatedKeysAt(moved, 'console', 6).map(({ key }) => key.id)).toEqual([one.id]);
  });

  test('counts before the first root came into force as that root says, and not at all without a root', () => {
    const late = inForce([3, [{ key: one, role: 'plane', from: 0 }]]);
    expect(stateAt(late, one.id, 0)).toBe('delegated');
    expect(rootInForceAt(late, 0)?.root.version).toBe(1);
    expect(delegationAt([], one.id, 0)).toEqual({ state: 'unlisted', version: 0 });
  });
});

const size = 12;
const range = fc.record({ key: fc.constantFrom(...keys), role: fc.constantFrom('plane' as const, 'console' as const), from: fc.nat(size), length: fc.option(fc.nat(size)) });
const services = fc
  .uniqueArray(range, { selector: ({ key }) => key.id, maxLength: keys.length })
  .map((found): readonly ServiceKey[] => found.map(({ length, ...rest }) => (length === null ? rest : { ...rest, to: rest.from + length })));
const histories = fc
  .tuple(services, fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: size }), services), { selector: ([index]) => index, maxLength: 5 }))
  .map(([first, later]) => inForce([0, first], ...later.sort(([a], [b]) => a - b)));

/** Told forwards, position by position, as each root comes into force: what may be signed from here on, and what no longer counts. */
function counted(roots: readonly RootInForce[]): ReadonlySet<string> {
  const good = new Set<string>();
  let listed: readonly ServiceKey[] = [];
  for (let index = 0; index <= size; index++) {
    const come = roots.find((one) => one.index === index);
    if (come) {
      listed = come.root.services;
      for (const { key, role, from, to = Infinity } of listed) {
        for (let past = 0; past < index; past++) {
          for (const held of ['plane', 'console']) if (held !== role || past < from || past > to) good.delete(`${key.id} ${held} ${past}`);
        }
      }
    }
    for (const { key, role, from, to = Infinity } of listed) if (index >= from && index <= to) good.add(`${key.id} ${role} ${index}`);
  }
  return good;
}

/** Every signature that counts, as `key role position`, so that one comparison sees them all. */
const told = (found: (key: string, index: number) => readonly string[], upTo = size): string =>
  Array.from({ length: upTo + 1 }, (_, index) => keys.flatMap(({ id }) => found(id, index).map((role) => `${id} ${role} ${index}`))).flat().join('\n');
const byPosition = (roots: readonly RootInForce[]) => (key: string, index: number) => {
  const found = delegationAt(roots, key, index);
  return found.state === 'delegated' ? [found.service.role] : [];
};
const roles = ['console', 'plane'] as const;

test('whatever roots follow each other, exactly the signatures count that the log’s history told forwards lets count', () => {
  fc.assert(
    fc.property(histories, (roots) => {
      const good = counted(roots);
      const expected = told((key, index) => roles.filter((role) => good.has(`${key} ${role} ${index}`)));
      expect(told(byPosition(roots))).toBe(expected);
      expect(told((key, index) => roles.filter((role) => delegatedKeysAt(roots, role, index).some((one) => one.key.id === key)))).toBe(expected);
    }),
    { numRuns: 200 },
  );
}, 20_000);

test('as ranges, the roots say the same as position by position', () => {
  fc.assert(
    fc.property(histories, (roots) => {
      const ranges = delegatedRanges(roots);
      expect(ranges.filter(({ from, to }) => to !== undefined && to < from)).toEqual([]);
      expect(told((key, index) => ranges.filter((one) => one.key.id === key && covers(one, index)).map(({ role }) => role), size + 15)).toBe(told(byPosition(roots), size + 15));
    }),
    { numRuns: 200 },
  );
}, 20_000);

test('a verifier that knows more roots accepts fewer signatures of the past, never others', () => {
  fc.assert(
    fc.property(histories, (roots) => {
      const last = roots.at(-1);
      if (!last) return;
      for (let index = 0; index < last.index; index++) {
        for (const { id } of keys) {
          if (stateAt(roots, id, index) === 'delegated') expect(stateAt(roots.slice(0, -1), id, index)).toBe('delegated');
        }
      }
    }),
  );
});
