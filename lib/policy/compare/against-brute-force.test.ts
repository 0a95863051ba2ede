import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Snapshot } from '@/lib/context/snapshot';
import type { CompiledPolicy } from '@/lib/engine/policy';
import { mediate } from '@/lib/mediate/mediate';
import { pairs, seed } from '@/lib/testing/engine-cases';
import { policyPairs, type PolicyPair } from '@/lib/testing/policy-pairs';

import { comparePolicies } from './compare-policies';
import type { ChangeEffect, Comparison, Decided, DecisionChange } from './comparison';
import { decideUnder } from './decide-under';
import { differencesOf } from './differences';

const decisionsOf = ({ changes }: Comparison): readonly DecisionChange[] => changes.flatMap((change) => (change.of === 'decision' ? [change] : []));

/** What a change's witness comes to when it is proposed anew. */
function again(policy: CompiledPolicy, { witness }: DecisionChange): Decided {
  const action = mediate(witness.action, policy.catalogue);
  return decideUnder(policy, action.ok ? action.value : null, witness.snapshot as unknown as Snapshot, witness.now);
}

/**
 * Where a guard asks for what an argument cannot take, an ALLOW is a DENY already, and a DEFER is one only once it is decided again. Until then it waits
 * for facts and is put before nobody: nothing opens, and what it comes to then is compared as such.
 */
const onlyWaits = (from: Decided, to: Decided): boolean =>
  from.decision === 'DENY' && to.decision === 'DEFER' && to.deferral?.conflict === false && to.deferral.escalate === undefined && to.deferral.at_timeout === undefined;

/** Every decision that really changes in the space, told shortly, with the situation in which it does. */
function bruteForce({ base, next, actions }: PolicyPair, contexts: PolicyPair['contexts'], passedOver: (from: Decided, to: Decided) => boolean = () => false): ReadonlyMap<string, { readonly effects: readonly ChangeEffect[]; readonly example: string }> {
  const found = new Map<string, { readonly effects: readonly ChangeEffect[]; readonly example: string }>();
  for (const action of actions) {
    for (const { snapshot, now } of contexts) {
      const [from, to] = [decideUnder(base, action, snapshot, now), decideUnder(next, action, snapshot, now)];
      const differences = differencesOf(from, to, action.parameters);
      if (!differences || passedOver(from, to)) continue;
      const key = `${action.operation} ${from.decision} → ${to.decision} ${differences.effects.join(' ')}`;
      if (!found.has(key)) found.set(key, { effects: differences.effects, example: JSON.stringify({ differences, parameters: action.parameters, snapshot, now }) });
    }
  }
  return found;
}

/** A long run says how far it is, and how much of it could not be proved. */
const tell = (looked: number, changed: number, claimed: number, notProved: number): void =>
  void process.stdout.write(`${String(looked)} of ${String(pairs)} pairs (seed ${String(seed)}): ${String(changed)} changed, ${String(claimed)} changes told, ${String(notProved)} not proved (${((100 * notProved) / looked).toFixed(1)} %)\n`);

describe('the comparison of two policies, against brute force', { timeout: 60_000 + pairs * 15_000 }, () => {
  test('misses no change and claims none', () => {
    let [looked, proved, changed, claimed] = [0, 0, 0, 0];
    fc.assert(fc.property(policyPairs(seed), (pair) => {
      const { base, next } = pair;
      if (looked > 0 && looked % 50 === 0) tell(looked, changed, claimed, looked - proved);
      looked += 1;
      const comparison = comparePolicies(base, next, { bounds: { classes: 3000, changes: 100_000 } });
      for (const change of decisionsOf(comparison)) {
        claimed += 1;
        const differences = differencesOf(again(base, change), again(next, change), change.witness.action.parameters);
        expect(differences).toEqual({ effects: change.effects, words: change.differences });
      }
      const real = bruteForce(pair, pair.contexts);
      if (comparison.change === 'none') expect([...real.values()].map(({ example }) => example)).toEqual([]);
      changed += real.size > 0 ? 1 : 0;
      if (!comparison.exhaustive) return;
      proved += 1;
      const told = new Set(decisionsOf(comparison).map(({ operation, from, to, effects }) => `${operation} ${from.decision} → ${to.decision} ${effects.join(' ')}`));
      const missed = [...real].filter(([key]) => !told.has(key)).map(([key, { example }]) => `${key} ${example}`);
      expect(missed).toEqual([]);
      // Under findings of guards, answers of points and too little evidence nothing opens and nobody else decides that was not told.
      const effects = new Set(comparison.changes.flatMap((change) => change.effects));
      const hidden = [...bruteForce(pair, pair.noisy, onlyWaits)].filter(([, found]) => found.effects.some((effect) => effect !== 'tightens' && !effects.has(effect)));
      expect(hidden.map(([key, { example }]) => `${key} ${example}`)).toEqual([]);
    }), { numRuns: pairs, seed, endOnFailure: true });
    tell(looked, changed, claimed, looked - proved);
    // The search has to come to its end nearly always, and the space has to show changes, or nothing was tested.
    expect(proved).toBeGreaterThan(pairs * 0.7);
    expect(changed).toBeGreaterThan(pairs * 0.3);
    expect(claimed).toBeGreaterThan(pairs);
  });
});
