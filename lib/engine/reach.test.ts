import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';

import { Coverage, testsIn } from '@/lib/testing/engine-coverage';
import { cases, seed } from '@/lib/testing/engine-cases';
import { noon } from '@/lib/testing/engine-fixtures';
import { policyOf } from '@/lib/testing/engine-laboratory';
import { actionStore, laboratoryOf, policyIn, snapshotArbitrary, type Laboratory } from '@/lib/testing/engine-worlds';

import { decide } from './decide';
import type { Rule } from './rule';

/** What generated cases are decided by. Properties that are tried on cases which never reach a step say nothing about it. */
describe('generated cases reach', { timeout: 120_000 + cases * 60 }, () => {
  const coverage = new Coverage();
  let lab: Laboratory;
  beforeAll(() => {
    lab = laboratoryOf(seed);
    for (const world of fc.sample(lab.world, { numRuns: Math.min(20_000, Math.max(5000, cases)), seed })) coverage.note(world, decide(world.action, world.snapshot, policyIn(world), world.now));
  }, 120_000 + cases * 60);

  test('every decision', () => {
    expect(seldom(coverage.decisions, ['ALLOW', 'MODIFY', 'STEP_UP', 'DEFER', 'DENY'], 40)).toEqual([]);
  });

  test('every code that the engine gives for an action of a known tool under a policy', () => {
    expect(seldom(coverage.codes, [
      'allowed', 'modified', 'needs_approval', 'needs_context', 'denied_by_rule', 'denied_by_default', 'denied_by_context', 'low_confidence', 'rule_conflict', 'modify_unstable', 'grant_needed',
      'forbidden_action', 'opaque_argument', 'guard_finding', 'guard_failed', 'kill_switch', 'session_closed', 'session_expired', 'identity_unverifiable', 'internal',
    ], 8)).toEqual([]);
  });

  test('every kind of rule', () => {
    expect(seldom(coverage.kinds, [
      'context_dependent_allow ALLOW', 'context_dependent_allow MODIFY', 'context_dependent_allow STEP_UP', 'context_dependent_decision MODIFY', 'context_dependent_decision STEP_UP',
      'context_dependent_defer DEFER', 'context_dependent_deny DENY', 'forbidden DENY', 'static ALLOW', 'static DEFER', 'static DENY', 'static MODIFY', 'static STEP_UP',
    ], 15)).toEqual([]);
  });

  test('every form of change', () => {
    expect(seldom(coverage.forms, ['set', 'cap', 'drop', 'restrict', 'redact', 'add_filter', 'guard'], 2)).toEqual([]);
  });

  test('every step, and every end that a step may have', () => {
    expect(seldom(coverage.steps, [
      '0', '1 forbidden', '1 built in', '1 opaque', '1 people instead', '2 grant', '3 rule', '3 catalogue', '3 defaults', '4 context denies', '5 context allows', '6 guard', '6 point',
      '6 context tightens', '7a unknown', '7a over eight unknown', '7a common outcome', '7b people settle a conflict', '7b a conflict is denied', '7c evaluability', '7d a rule waits',
      '8 one change', '8 more changes', '8 people see a′', '8 unstable',
    ], 2)).toEqual([]);
  });

  test('every confidence × impact', () => {
    expect(seldom(coverage.cells, [
      'high confidence, low impact: ALLOW', 'high confidence, low impact: STEP_UP', 'high confidence, higher impact: STEP_UP', 'medium confidence, low impact: STEP_UP',
      'medium confidence, higher impact: STEP_UP', 'low confidence, low impact: DENY', 'low confidence, higher impact: DENY',
    ], 2)).toEqual([]);
  });

  test('every operator of every field, alone: somewhere the rule that asks it decides, and somewhere it does not', () => {
    const actions = actionStore(seed, 1500).filter(({ entry, facts }) => !entry.grant && !JSON.stringify(facts).includes('.countersign'));
    const snapshots = fc.sample(snapshotArbitrary, { numRuns: 1500, seed }).map((snapshot) => ({ ...snapshot, guards: [], points: [], killed: false, identity_verified: true, session: { ...snapshot.session, state: 'open' as const } }));
    const byTest = new Map<string, Rule[]>();
    for (const rule of lab.rulesOf(({ action, modify }) => action !== 'DEFER' && modify.length === 0)) {
      for (const name of [...testsIn(rule.applies), ...testsIn(rule.context)]) byTest.set(name, [...(byTest.get(name) ?? []), rule]);
    }
    expect(byTest.size).toBeGreaterThan(95);
    const oneSided = [...byTest].filter(([, rules]) => {
      const turned = new Set<boolean>();
      for (const rule of rules.slice(0, 40)) {
        const policy = policyOf([rule], { decision: rule.action === 'DENY' || rule.action === 'STEP_UP' ? 'ALLOW' : 'DENY', internal: true });
        for (let i = 0; i < actions.length && turned.size < 2; i++) {
          const [action, snapshot] = [actions[i], snapshots[i]];
          if (!action || !snapshot || action.entry.decision !== undefined) continue;
          const decision = decide(action, snapshot, policy, i % 3 === 0 ? '2030-06-08T03:00:00.000Z' : noon);
          if (decision.unknown.length === 0) turned.add(decision.determining.some(({ id }) => id === rule.id));
        }
      }
      return turned.size < 2;
    }).map(([name]) => name);
    expect(oneSided).toEqual([]);
  });
});

/** What was reached less often than `least` times, with how often. */
const seldom = (found: ReadonlyMap<string, number>, wanted: readonly string[], least: number): readonly string[] =>
  wanted.filter((name) => (found.get(name) ?? 0) < least).map((name) => `${name}: ${String(found.get(name) ?? 0)}`);
