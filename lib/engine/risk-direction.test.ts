import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';

import { casesEach, seed } from '@/lib/testing/engine-cases';
import { expectNoLooser } from '@/lib/testing/engine-loosening';
import { laboratoryOf, policyIn, type World } from '@/lib/testing/engine-worlds';

import { decide } from './decide';

let world: fc.Arbitrary<World>;
beforeAll(() => {
  ({ world } = laboratoryOf(seed));
}, 120_000);

test('a more suspicious signal never loosens', () => {
  let changed = 0;
  fc.assert(
    fc.property(world, fc.nat(20), fc.integer({ min: 1, max: 1000 }), (one, at, by) => {
      const { signals } = one.snapshot;
      const chosen = signals[at % Math.max(1, signals.length)];
      fc.pre(chosen !== undefined && chosen.score !== null);
      const worse = signals.map((signal) => (signal === chosen ? { ...signal, score: Math.max(0, (signal.score ?? 0) - by) } : signal));
      const after = { ...one, snapshot: { ...one.snapshot, signals: worse } };
      expectNoLooser(one, after);
      if (decide(one.action, one.snapshot, policyIn(one), one.now).decision !== decide(one.action, after.snapshot, policyIn(one), one.now).decision) changed += 1;
    }),
    { numRuns: casesEach, seed },
  );
  expect(changed).toBeGreaterThan(0);
}, 120_000);
