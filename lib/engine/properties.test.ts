import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { provenances } from '@/lib/context/entry';
import type { Snapshot } from '@/lib/context/snapshot';
import type { CanonicalAction } from '@/lib/mediate/action';
import { deriveFacts } from '@/lib/mediate/facts';
import { decisionKinds } from '@/lib/mediate/catalogue';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json } from '@/lib/shared/json';
import { actionArbitrary, foreignRuleArbitrary, policyOf, ruleArbitrary, ruleFrom, rulesArbitrary, settingsArbitrary, snapshotArbitrary } from '@/lib/testing/engine-arbitraries';
import { at, noon, snapshotWith } from '@/lib/testing/engine-fixtures';

import { decide, decideBy } from './decide';
import type { Decision } from './decision';
import { strictness } from './outcome';
import type { Rule } from './rule';
import { specify } from './spec';

/** The normal run always tries the same cases. The long form, `ENGINE_RUNS=5000 npx vitest run lib/engine/properties`, tries new ones. */
const numRuns = Number(process.env.ENGINE_RUNS ?? 250);
const seed = process.env.ENGINE_RUNS === undefined ? { seed: 8 } : {};

const bytes = (decision: Decision): string => canonicalJson(JSON.parse(JSON.stringify(decision)) as Json);
const world = fc.tuple(actionArbitrary, snapshotArbitrary, rulesArbitrary, settingsArbitrary);

type Case = { readonly snapshot: Snapshot; readonly rules: readonly Rule[]; readonly settings: { readonly decision: string; readonly internal: boolean } };

const decideCase = (action: CanonicalAction, { snapshot, rules, settings }: Case): Decision => decide(action, snapshot, policyOf(rules, settings), noon);

/**
 * `after` is at least as strict as `before`. A DEFER that only waits for what is not known is no strictness of its own: it stands
 * for what may come out, so there the two are compared once everything is known, for each way it may turn out.
 */
function expectNoLooser(action: CanonicalAction, before: Case, after: Case): void {
  const [first, then] = [decideCase(action, before), decideCase(action, after)];
  if (strictness(then.decision) >= strictness(first.decision)) return;
  expect(isUncertain(first)).toBe(true);
  for (const fill of waysToKnow(action)) {
    const [known, knownThen] = [decideCase(action, fill(before)), decideCase(action, fill(after))];
    if (!isUncertain(known)) expect(strictness(knownThen.decision)).toBeGreaterThanOrEqual(strictness(known.decision));
  }
}

const isUncertain = (decision: Decision): boolean => decision.decision === 'DEFER' && decision.unknown.length > 0;

function waysToKnow(action: CanonicalAction): readonly ((open: Case) => Case)[] {
  const subject = action.facts.target ?? 'lab:test_data';
  const say = (name: string, value: string): Snapshot['attributes'][number] => ({ subject, name, value, unavailable: false, source: 'ip:records', observed_at: at(1) });
  return ['ada@corp.example', 'eve@corp.example'].flatMap((owner) =>
    ['high', 'low'].flatMap((criticality) =>
      [[], ['delete'], ['send']].map((affirmed) => ({ snapshot, rules, settings }: Case): Case => ({
        rules,
        settings: { ...settings, internal: true },
        snapshot: { ...snapshot, intent: { affirmed, doubtful: [] }, attributes: [say('owner', owner), say('criticality', criticality)], prior: { ...snapshot.prior, total: snapshot.prior.recent.length } },
      }))));
}

function holds<T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, property), { numRuns, ...seed });
}

test('the generators reach every kind of rule and every decision', () => {
  const kinds = new Set(fc.sample(ruleArbitrary, { numRuns: 1500, seed: 1 }).map((rule) => `${rule.classification} ${rule.action}`));
  expect([...kinds].sort()).toEqual([
    'context_dependent_allow ALLOW', 'context_dependent_allow MODIFY', 'context_dependent_allow STEP_UP', 'context_dependent_decision MODIFY',
    'context_dependent_decision STEP_UP', 'context_dependent_defer DEFER', 'context_dependent_deny DENY', 'forbidden DENY',
    'static ALLOW', 'static DEFER', 'static DENY', 'static MODIFY', 'static STEP_UP',
  ]);
  const found = fc.sample(world, { numRuns: 1000, seed: 1 }).map(([action, snapshot, rules, settings]) => decide(action, snapshot, policyOf(rules, settings), noon));
  expect([...new Set(found.map((decision) => decision.decision))].sort()).toEqual(['ALLOW', 'DEFER', 'DENY', 'MODIFY', 'STEP_UP']);
  const codes = new Set(found.map((decision) => decision.code));
  for (const code of ['forbidden_action', 'opaque_argument', 'grant_needed', 'denied_by_rule', 'denied_by_context', 'denied_by_default', 'low_confidence', 'guard_finding', 'guard_failed', 'rule_conflict', 'needs_context']) expect(codes).toContain(code);
}, 60_000);

describe('properties of decide', { timeout: 60_000 + numRuns * 60 }, () => {
  test('forbidden trumps everything', () => {
    const forbidden = ruleFrom({ action: 'DENY', classification: 'forbidden', match: { tool: 'lab' } }, 'never');
    expect(forbidden).not.toBeNull();
    holds(world, ([action, snapshot, rules, settings]) => {
      const decision = decide(action, snapshot, policyOf([...rules, ...(forbidden ? [forbidden] : [])], settings), noon);
      expect([decision.decision, decision.code, decision.classification]).toEqual(['DENY', 'forbidden_action', 'forbidden']);
    });
  });

  test('nothing is allowed unless something allows it', () => {
    holds(world, ([action, snapshot, rules]) => {
      fc.pre(action.operation !== 'open');
      const mute = rules.filter((rule) => rule.classification !== 'context_dependent_allow' && !(rule.classification === 'static' && (rule.action === 'ALLOW' || rule.action === 'MODIFY')));
      expect(['ALLOW', 'MODIFY']).not.toContain(decide(action, snapshot, policyOf(mute), noon).decision);
    });
  });

  test('adding a deny rule never loosens', () => {
    const deny = ruleArbitrary.filter((rule) => rule.action === 'DENY');
    holds(fc.tuple(world, deny), ([[action, snapshot, rules, settings], more]) => {
      const others = rules.filter((rule) => rule.id !== more.id);
      expectNoLooser(action, { snapshot, rules: others, settings }, { snapshot, rules: [...others, more], settings });
    });
  });

  test('rule order never matters', () => {
    const shuffled = world.chain(([action, snapshot, rules, settings]) =>
      fc.shuffledSubarray(rules, { minLength: rules.length }).map((order) => ({ action, snapshot, rules, settings, order })));
    holds(shuffled, ({ action, snapshot, rules, settings, order }) => {
      expect(bytes(decide(action, snapshot, policyOf(order, settings), noon))).toBe(bytes(decide(action, snapshot, policyOf(rules, settings), noon)));
    });
  });

  test('rules that do not apply never matter', () => {
    const elsewhere = fc.uniqueArray(foreignRuleArbitrary, { maxLength: 4, selector: (rule) => rule.id });
    holds(fc.tuple(world, elsewhere), ([[action, snapshot, rules, settings], more]) => {
      const all = [...rules, ...more];
      expect(bytes(decide(action, snapshot, policyOf(all, settings), noon))).toBe(bytes(decide(action, snapshot, policyOf(rules, settings), noon)));
    });
  });

  test('an unknown never becomes an allow', () => {
    holds(world, ([action, snapshot, rules, settings]) => {
      const policy = policyOf(rules, settings);
      const unsaid = { ...snapshot, attributes: [] };
      const open = decide(action, unsaid, policy, noon).decision;
      if (open !== 'ALLOW' && open !== 'MODIFY') return;
      const subject = action.facts.target ?? 'lab:test_data';
      for (const name of ['owner', 'criticality']) {
        for (const value of ['ada@corp.example', 'eve@corp.example', 'high', null]) {
          const fact = { subject, name, value, unavailable: value === null, source: 'ip:records', observed_at: at(1) };
          expect(decide(action, { ...unsaid, attributes: [fact] }, policy, noon).decision).toBe(open);
        }
      }
    });
  });

  test('supplying context terminates', () => {
    holds(world, ([action, snapshot, rules, settings]) => {
      const policy = policyOf(rules, settings);
      const asked = new Set<string>();
      let attributes = snapshot.attributes;
      for (;;) {
        const decision = decide(action, { ...snapshot, attributes }, policy, noon);
        const missing = (decision.deferral?.missing ?? []).filter((field) => field.attribute !== undefined && field.subject !== undefined && field.suppliers.length > 0);
        if (missing.length === 0) break;
        for (const { subject = '', attribute = '' } of missing) {
          expect(asked).not.toContain(`${subject} ${attribute}`);
          asked.add(`${subject} ${attribute}`);
          attributes = [...attributes, { subject, name: attribute, value: 'low', unavailable: false, source: 'ip:records', observed_at: at(0) }];
        }
      }
    });
  });

  test('a more sensitive label never loosens', () => {
    holds(fc.tuple(world, fc.constantFrom('PII', 'SECRET', 'CONFIDENTIAL', 'RESTRICTED')), ([[action, snapshot, rules, settings], label]) => {
      const more = { ...snapshot, labels: [...new Set([...snapshot.labels, label])].sort() };
      expectNoLooser(action, { snapshot, rules, settings }, { snapshot: more, rules, settings });
    });
  });

  test('a less trusted provenance never loosens', () => {
    holds(fc.tuple(world, fc.nat(5), fc.nat(5)), ([[action, snapshot, rules, settings], place, lower]) => {
      fc.pre(snapshot.provenance.length > 0);
      const index = place % snapshot.provenance.length;
      const worse = snapshot.provenance.map((leaf, i) => {
        const rank = Math.min(provenances.length - 1, provenances.indexOf(leaf.source) + lower);
        return i === index ? { ...leaf, source: provenances[rank] ?? 'nowhere' } : leaf;
      });
      expectNoLooser(action, { snapshot, rules, settings }, { snapshot: { ...snapshot, provenance: worse }, rules, settings });
    });
  });

  test('a guard’s finding is never weakened', () => {
    const finding = fc.constantFrom('redact' as const, 'hold' as const, 'block' as const, 'failed' as const);
    holds(fc.tuple(world, finding), ([[action, snapshot, rules, settings], verdict]) => {
      const policy = policyOf(rules, settings);
      const quiet = { ...snapshot, guards: [] };
      const found = { ...quiet, guards: [{ guard: 'scan', verdict, path: 'note', detail: 'found' }] };
      const least = { redact: 'ALLOW', hold: 'STEP_UP', block: 'DENY', failed: 'DENY' } as const;
      const decision = decide(action, found, policy, noon);
      expect(strictness(decision.decision)).toBeGreaterThanOrEqual(strictness(least[verdict]));
      expectNoLooser(action, { snapshot: quiet, rules, settings }, { snapshot: found, rules, settings });
      if (verdict === 'redact' && (decision.decision === 'MODIFY' || decision.decision === 'ALLOW')) {
        const note = (decision.transformed?.parameters ?? action.parameters).note;
        expect([undefined, '[redacted]']).toContain(note);
      }
    });
  });

  test('what MODIFY lets through would itself be allowed', () => {
    const allowed = ruleFrom({ action: 'ALLOW', match: { tool: 'lab' }, priority: -5 }, 'open');
    holds(world, ([action, snapshot, rules, settings]) => {
      const policy = policyOf([...rules, ...(allowed ? [allowed] : [])], settings);
      const decision = decide(action, snapshot, policy, noon);
      if (decision.decision !== 'MODIFY' || !decision.transformed) return;
      const { parameters, changes } = decision.transformed;
      const paths = new Set(changes.map((change) => change.path));
      const provenance = [...snapshot.provenance.filter((leaf) => ![...paths].some((path) => leaf.path.startsWith(path))), ...[...paths].map((path) => ({ path, source: 'policy' as const }))];
      const next = { ...action, parameters, facts: deriveFacts(action.entry, parameters) };
      expect(decide(next, { ...snapshot, provenance }, policy, noon).decision).toBe('ALLOW');
    });
  });

  test('the same inputs give the same bytes', () => {
    holds(world, ([action, snapshot, rules, settings]) => {
      const policy = policyOf(rules, settings);
      const copy = JSON.parse(JSON.stringify(snapshot)) as Snapshot;
      const again = { ...action, parameters: JSON.parse(JSON.stringify(action.parameters)) as CanonicalAction['parameters'] };
      expect(bytes(decide(again, copy, policyOf([...rules].reverse(), settings), noon))).toBe(bytes(decide(action, snapshot, policy, noon)));
    });
  });

  test('spec and evaluate agree', () => {
    holds(world, ([action, snapshot, rules, settings]) => {
      const policy = policyOf(rules, settings);
      expect(essence(decide(action, snapshot, policy, noon))).toEqual(essence(decideBy(specify, action, snapshot, policy, noon)));
    });
  });

  test('evaluate is total and bounded', () => {
    holds(fc.tuple(fc.object({ maxDepth: 3 }), fc.anything(), rulesArbitrary, settingsArbitrary), ([parameters, odd, rules, settings]) => {
      const policy = policyOf(rules, settings);
      const entry = policy.catalogue.entries.get('lab.act');
      if (!entry) throw new Error('The laboratory has lab.act.');
      const facts = { effects: ['read' as const], effect: 'read' as const, impact: 'low' as const, recipients: [], paths: [], urls: [], programs: [], tables: [], amounts: [], opaque: [] };
      const action = { tool: 'lab', operation: 'act', parameters: { ...parameters, limit: odd, note: odd } as CanonicalAction['parameters'], entry, facts };
      expect(decisionKinds).toContain(decide(action, snapshotWith(), policy, noon).decision);
    });
    const owner = ruleFrom({ action: 'DENY', match: { tool: 'lab' }, context: { target_ownership: { owned_by: 'requesting_user' } } }, 'unknown');
    const many = owner ? Array.from({ length: 2000 }, (_, i) => ({ ...owner, id: `unknown-${String(i)}` })) : [];
    const policy = policyOf(many, { decision: 'ALLOW', internal: true });
    const entry = policy.catalogue.entries.get('lab.act');
    if (!entry) throw new Error('The laboratory has lab.act.');
    const parameters = { table: 'test_data' };
    const started = performance.now();
    expect(decide({ tool: 'lab', operation: 'act', parameters, entry, facts: deriveFacts(entry, parameters) }, snapshotWith(), policy, noon).decision).toBe('DEFER');
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

/** What a decision does and why, without the words and without what the specification does not record. */
const essence = ({ reason: _reason, guidance: _guidance, considered: _considered, baseline: _baseline, unknown, determining, ...rest }: Decision): unknown => ({
  ...rest, unknown: unknown.map(({ id }) => id).sort(), determining: determining.map(({ id }) => id).sort(),
});
