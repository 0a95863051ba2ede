import fc from 'fast-check';

import type { Snapshot } from '@/lib/context/snapshot';
import type { CompiledPolicy } from '@/lib/engine/policy';
import type { Rule } from '@/lib/engine/rule';
import type { CanonicalAction } from '@/lib/mediate/action';

import { noon } from './engine-fixtures';
import { policyOf, type LaboratorySettings } from './engine-laboratory';
import { actionStore, laboratoryOf, snapshotArbitrary } from './engine-worlds';

/** Two policies, and a finite space of situations in which both decide about everything. */
export type PolicyPair = { readonly base: CompiledPolicy; readonly next: CompiledPolicy; readonly actions: readonly CanonicalAction[]; readonly contexts: readonly Context[]; readonly noisy: readonly Context[] };
export type Context = { readonly snapshot: Snapshot; readonly now: string };

const live = (snapshot: Snapshot): Snapshot => ({ ...snapshot, killed: false, identity_verified: true, session: { ...snapshot.session, state: 'open' } });

/** Without findings of guards and points, and with every signal measured: those lie over what a policy says and only tighten. */
const quiet = (snapshot: Snapshot): Snapshot => ({ ...snapshot, guards: [], points: [], signals: snapshot.signals.map((signal) => ({ ...signal, score: signal.score ?? 900 })) });

const settings: fc.Arbitrary<LaboratorySettings> = fc.record({ decision: fc.constantFrom('DENY', 'DENY', 'DENY', 'ALLOW', 'STEP_UP'), internal: fc.constantFrom(true, true, true, false) });

/** Edits of one rule, as people make them. */
const edit: fc.Arbitrary<(rule: Rule) => Rule> = fc.constantFrom<(rule: Rule) => Rule>(
  (rule) => ({ ...rule, priority: rule.priority + 150 }),
  (rule) => ({ ...rule, priority: rule.priority - 150 }),
  (rule) => ({ ...rule, approval: { ...rule.approval, quorum: (rule.approval.quorum ?? 1) + 1 } }),
  (rule) => ({ ...rule, approval: { ...rule.approval, approvers: ['others'] } }),
  (rule) => ({ ...rule, obligations: [...rule.obligations, { kind: 'sandbox', value: 'elsewhere' }] }),
  (rule) => ({ ...rule, context: { is: 'all', of: [] } }),
  (rule) => ({ ...rule, applies: { is: 'all', of: [] } }),
  (rule) => ({ ...rule, keys: new Set(['lab.act', 'lab.open']) }),
  (rule) => ({ ...rule, modify: rule.modify.map((change) => (change.form === 'cap' ? { ...change, at: change.at + 1 } : change)) }),
);

/** Pairs of which one rule was edited, taken out, put in or exchanged, and pairs that have nothing in common. */
export function policyPairs(seed: number): fc.Arbitrary<PolicyPair> {
  const { rule } = laboratoryOf(seed);
  const some = (maxLength: number): fc.Arbitrary<readonly Rule[]> => fc.uniqueArray(rule, { minLength: 1, maxLength, selector: ({ id }) => id });
  const edited = fc.tuple(some(4), fc.nat(), edit).map(([rules, at, change]) => [rules, rules.map((one, i) => (i === at % rules.length ? change(one) : one))] as const);
  const without = fc.tuple(some(4), fc.nat(), fc.boolean()).map(([rules, at, swapped]) => {
    const fewer = rules.filter((_, i) => i !== at % rules.length);
    return swapped ? ([fewer, rules] as const) : ([rules, fewer] as const);
  });
  const exchanged = fc.tuple(some(3), fc.nat(), rule).map(([rules, at, other]) => [rules, [...rules.filter((_, i) => i !== at % rules.length), other]] as const);
  const unrelated = fc.tuple(some(2), some(2));
  const renamed = some(3).map((rules) => [rules, [...rules].reverse().map((one, i) => ({ ...one, id: `other-${String(i)}`, reason: 'Said otherwise.' }))] as const);
  const rules = fc.oneof({ weight: 5, arbitrary: edited }, { weight: 4, arbitrary: without }, { weight: 3, arbitrary: exchanged }, { weight: 3, arbitrary: unrelated }, { weight: 1, arbitrary: renamed });
  const actions = actionStore(seed);
  const times = fc.constantFrom(noon, noon, '2030-06-03T22:30:00.000Z', '2030-06-08T03:00:00.000Z');
  return fc.record({
    rules, settings, other: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: settings }),
    actions: fc.array(fc.constantFrom(...actions), { minLength: 40, maxLength: 40 }),
    contexts: fc.array(fc.record({ snapshot: snapshotArbitrary.map(live).map(quiet), now: times }), { minLength: 20, maxLength: 20 }),
    noisy: fc.array(fc.record({ snapshot: snapshotArbitrary.map(live), now: times }), { minLength: 8, maxLength: 8 }),
  }).map(({ rules: [before, after], settings: own, other, ...space }) => ({ base: policyOf(before, own), next: policyOf(after, other ?? own), ...space }));
}
