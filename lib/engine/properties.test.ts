import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';

import { provenances } from '@/lib/context/entry';
import type { Snapshot } from '@/lib/context/snapshot';
import type { CanonicalAction } from '@/lib/mediate/action';
import { deriveFacts } from '@/lib/mediate/facts';
import { decisionKinds } from '@/lib/mediate/catalogue';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json } from '@/lib/shared/json';
import { cases, casesEach, seed } from '@/lib/testing/engine-cases';
import { at, noon, snapshotWith } from '@/lib/testing/engine-fixtures';
import { expectNoLooser, saidAbout } from '@/lib/testing/engine-loosening';
import { policyOf } from '@/lib/testing/engine-laboratory';
import { ruleFrom } from '@/lib/testing/engine-rules';
import { laboratoryOf, policyIn, type Laboratory, type World } from '@/lib/testing/engine-worlds';

import { decide, decideBy } from './decide';
import type { Decision } from './decision';
import { evaluate } from './evaluate';
import { judgeRule } from './judge-rule';
import { strictness } from './outcome';
import type { Rule } from './rule';
import { runRounds } from './run-rounds';
import { specify } from './spec';

const bytes = (decision: Decision): string => canonicalJson(JSON.parse(JSON.stringify(decision)) as Json);
const decideIn = (world: World): Decision => decide(world.action, world.snapshot, policyIn(world), world.now);

/** Neither step 0 nor a path that is Countersign's own decides. */
const isLive = ({ snapshot, now, action }: World): boolean =>
  !snapshot.killed && snapshot.identity_verified && snapshot.session.state === 'open' && now !== 'some day' && !JSON.stringify(action.facts).includes('.countersign');

function holds<T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void, numRuns = casesEach): void {
  fc.assert(fc.property(arbitrary, property), { numRuns, seed });
}

describe('properties of decide', { timeout: 120_000 + cases * 60 }, () => {
  let lab: Laboratory;
  let world: fc.Arbitrary<World>;
  beforeAll(() => {
    lab = laboratoryOf(seed);
    world = lab.world;
  }, 120_000);

  test('forbidden trumps everything', () => {
    const forbidden = ruleFrom({ action: 'DENY', classification: 'forbidden', match: { tool: 'lab' } }, 'never');
    holds(world, (one) => {
      const decision = decideIn({ ...one, rules: [...one.rules, ...(forbidden ? [forbidden] : [])] });
      expect(decision.decision).toBe('DENY');
      if (isLive(one)) expect([decision.code, decision.classification]).toEqual(['forbidden_action', 'forbidden']);
    });
  });

  test('nothing is allowed unless something allows it', () => {
    const allows = ({ classification, action }: Rule): boolean => classification === 'context_dependent_allow' || (classification === 'static' && (action === 'ALLOW' || action === 'MODIFY'));
    holds(world, (one) => {
      fc.pre(one.action.operation !== 'open');
      const mute = { ...one, rules: one.rules.filter((rule) => !allows(rule)), settings: { ...one.settings, decision: 'DENY' } };
      expect(['ALLOW', 'MODIFY']).not.toContain(decideIn(mute).decision);
    });
  });

  test('adding a deny rule never loosens', () => {
    const deny = fc.constantFrom(...lab.rulesOf(({ action }) => action === 'DENY'));
    holds(fc.tuple(world, deny), ([one, more]) => {
      const others = one.rules.filter((rule) => rule.id !== more.id);
      expectNoLooser({ ...one, rules: others }, { ...one, rules: [...others, more] });
    });
  });

  test('rule order never matters', () => {
    const shuffled = world.chain((one) => fc.shuffledSubarray([...one.rules], { minLength: one.rules.length }).map((rules) => ({ one, other: { ...one, rules } })));
    holds(shuffled, ({ one, other }) => {
      expect(bytes(decideIn(other))).toBe(bytes(decideIn(one)));
    });
  });

  test('rules that do not apply never matter', () => {
    holds(fc.tuple(world, fc.array(lab.rule, { maxLength: 4 })), ([one, more]) => {
      const policy = policyIn(one);
      const before = decideIn(one);
      const elsewhere = more.map((rule, i) => ({ ...rule, id: `elsewhere-${String(i)}`, keys: new Set(['email.send']) }));
      const situation = { action: one.action, snapshot: one.snapshot, policy, nowMs: Date.parse(one.now) };
      // Such rules may apply to a′, also to one that is then deferred: they are left out where the action changes.
      const changes = before.code === 'modify_unstable' || Number.isNaN(situation.nowMs) || runRounds(evaluate, situation).transformed !== null;
      const false_ = changes ? [] : more.filter((rule) => rule.keys.has(`lab.${one.action.operation}`) && judgeRule(rule, situation) === null);
      const added = [...elsewhere, ...false_.map((rule, i) => ({ ...rule, id: `false-${String(i)}` }))];
      expect(bytes(decideIn({ ...one, rules: [...one.rules, ...added] }))).toBe(bytes(before));
    });
  });

  test('an unknown never becomes an allow', () => {
    holds(world, (one) => {
      const unsaid = { ...one, snapshot: { ...one.snapshot, attributes: [], intent: null } };
      const open = decideIn(unsaid).decision;
      if (open !== 'ALLOW' && open !== 'MODIFY') return;
      for (const value of ['ada@corp.example', 'high', 'staff', 5, null]) {
        for (const affirmed of [null, [], ['delete'], ['send', 'delete']]) {
          const attributes = saidAbout(one.action, value);
          expect(decideIn({ ...unsaid, snapshot: { ...unsaid.snapshot, attributes, intent: affirmed && { affirmed, doubtful: [] } } }).decision).toBe(open);
        }
      }
    });
  });

  test('supplying context terminates', () => {
    const answers = fc.array(fc.constantFrom('low', 'high', 'ada@corp.example', 'staff', 7, null), { minLength: 1, maxLength: 4 });
    holds(fc.tuple(world, answers), ([one, values]) => {
      const asked = new Set<string>();
      let { snapshot } = one;
      for (;;) {
        const decision = decideIn({ ...one, snapshot });
        // A request that leaves doubt is no answer yet: another message may be one, the same one will not.
        const missing = (decision.deferral?.missing ?? []).filter(({ field, suppliers }) => suppliers.length > 0 && !(field === 'user_intent' && snapshot.intent !== null));
        if (missing.length === 0) break;
        for (const { field, subject = 'action:act_1', attribute, suppliers: [source = ''] } of missing) {
          expect(asked).not.toContain(`${field} ${subject}`);
          asked.add(`${field} ${subject}`);
          const value = values[asked.size % values.length] ?? null;
          if (attribute === undefined) snapshot = { ...snapshot, intent: { affirmed: ['send'], doubtful: [] } };
          else snapshot = { ...snapshot, attributes: [...snapshot.attributes, { subject, name: attribute, value, unavailable: value === null, source, observed_at: new Date(Date.parse(one.now)).toISOString() }] };
        }
      }
      expect(asked.size).toBeLessThanOrEqual(12);
    });
  });

  test('a more sensitive label never loosens', () => {
    holds(fc.tuple(world, fc.constantFrom('PII', 'SECRET', 'CONFIDENTIAL', 'RESTRICTED')), ([one, label]) => {
      expectNoLooser(one, { ...one, snapshot: { ...one.snapshot, labels: [...new Set([...one.snapshot.labels, label])].sort() } });
    });
  });

  test('a less trusted provenance never loosens', () => {
    holds(fc.tuple(world, fc.nat(5), fc.nat(5)), ([one, place, lower]) => {
      const { provenance } = one.snapshot;
      fc.pre(provenance.length > 0);
      const worse = provenance.map((leaf, i) => {
        const rank = Math.min(provenances.length - 1, provenances.indexOf(leaf.source) + lower);
        return i === place % provenance.length ? { ...leaf, source: provenances[rank] ?? 'nowhere' } : leaf;
      });
      expectNoLooser(one, { ...one, snapshot: { ...one.snapshot, provenance: worse } });
    });
  });

  test('a guard’s finding is never weakened', () => {
    const least = { redact: 'ALLOW', hold: 'STEP_UP', block: 'DENY', failed: 'DENY' } as const;
    holds(fc.tuple(world, fc.constantFrom('redact' as const, 'hold' as const, 'block' as const, 'failed' as const)), ([one, verdict]) => {
      const found = { ...one, snapshot: { ...one.snapshot, guards: [...one.snapshot.guards, { guard: 'last', verdict, path: 'note', detail: 'found' }] } };
      const decision = decideIn(found);
      expect(strictness(decision.decision)).toBeGreaterThanOrEqual(strictness(least[verdict]));
      expectNoLooser(one, found);
      if (verdict === 'redact' && decision.decision !== 'DENY' && decision.decision !== 'DEFER') {
        expect([undefined, '[redacted]']).toContain((decision.transformed?.parameters ?? one.action.parameters).note);
      }
      // Whatever the finding adds, the sandbox and the like that went with the permit go with it still.
      const before = decideIn(one);
      if (before.decision === 'ALLOW' && decision.obligations.length < before.obligations.length) expect(['DENY', 'DEFER']).toContain(decision.decision);
    });
  });

  test('what MODIFY lets through would itself be allowed', () => {
    holds(world, (one) => {
      const decision = decideIn(one);
      if (decision.decision !== 'MODIFY') return;
      const policy = policyIn(one);
      const last = runRounds(evaluate, { action: one.action, snapshot: one.snapshot, policy, nowMs: Date.parse(one.now) }).situation;
      expect(last.action.parameters).toEqual(decision.transformed?.parameters);
      const again = decide(last.action, last.snapshot, policy, one.now);
      expect([again.decision, again.transformed]).toEqual(['ALLOW', undefined]);
    }, casesEach * 4);
  });

  test('the same inputs give the same bytes', () => {
    holds(world, (one) => {
      const snapshot = JSON.parse(JSON.stringify(one.snapshot)) as Snapshot;
      const action = { ...one.action, parameters: JSON.parse(JSON.stringify(one.action.parameters)) as CanonicalAction['parameters'] };
      expect(bytes(decideIn({ ...one, snapshot, action }))).toBe(bytes(decideIn(one)));
    });
  });

  test('spec and evaluate agree', () => {
    holds(world, (one) => {
      const policy = policyIn(one);
      expect(essence(decide(one.action, one.snapshot, policy, one.now))).toEqual(essence(decideBy(specify, one.action, one.snapshot, policy, one.now)));
    }, cases);
  });

  test('evaluate is total and bounded', () => {
    const facts = { effects: ['read' as const], effect: 'read' as const, impact: 'low' as const, recipients: [], paths: [], urls: [], programs: [], tables: [], amounts: [], opaque: [] };
    const entry = policyOf([]).catalogue.entries.get('lab.act');
    if (!entry) throw new Error('The laboratory has lab.act.');
    holds(fc.tuple(fc.object({ maxDepth: 3 }), fc.anything(), world), ([parameters, odd, { rules, settings }]) => {
      const action = { tool: 'lab', operation: 'act', parameters: { ...parameters, limit: odd, note: odd } as CanonicalAction['parameters'], entry, facts };
      expect(decisionKinds).toContain(decide(action, snapshotWith(), policyOf(rules, settings), noon).decision);
    });
    const owner = ruleFrom({ action: 'DENY', match: { tool: 'lab' }, context: { target_ownership: { owned_by: 'requesting_user' } } }, 'unknown');
    const many = owner ? Array.from({ length: 2000 }, (_, i) => ({ ...owner, id: `unknown-${String(i)}` })) : [];
    const parameters = { table: 'test_data' };
    const policy = policyOf(many, { decision: 'ALLOW', internal: true });
    const started = performance.now();
    expect(decide({ tool: 'lab', operation: 'act', parameters, entry, facts: deriveFacts(entry, parameters) }, snapshotWith({ attributes: [], prior: { counts: {}, recent: [], total: 0 } }), policy, at(0)).decision).toBe('DEFER');
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

/** What a decision does and why, without the words and without what the specification does not record. */
const essence = ({ reason: _reason, guidance: _guidance, considered: _considered, baseline: _baseline, unknown, determining, ...rest }: Decision): unknown => ({
  ...rest, unknown: unknown.map(({ id }) => id).sort(), determining: determining.map(({ id }) => id).sort(),
});
