import fc from 'fast-check';

import { redactionKinds, type Rule } from '@/lib/engine/rule';
import { decisionKinds, effects } from '@/lib/mediate/catalogue';
import { buildRule } from '@/lib/policy/build-rule';
import { Diagnostics } from '@/lib/policy/diagnostics';
import { ruleSchema } from '@/lib/policy/document-schema';

import { contextConditions, expressions, identityConditions, parameterConditions, type Conditions } from './engine-conditions';
import { laboratory, operations } from './engine-laboratory';

type RuleShape = Readonly<Record<string, unknown>>;

/** The rule as the loader builds it; null when the loader would refuse it. Keys that alone make it refused are left out first. */
export function ruleFrom(shape: RuleShape, id: string): Rule | null {
  for (const without of [[], ['classification'], ['opaque'], ['classification', 'opaque'], ['classification', 'opaque', 'when'], ['classification', 'opaque', 'context']]) {
    const raw = Object.fromEntries(Object.entries({ id, ...shape }).filter(([key]) => !without.includes(key)));
    const parsed = ruleSchema.safeParse(raw);
    if (!parsed.success) continue;
    const diagnostics = new Diagnostics();
    const rule = buildRule(parsed.data, [], laboratory, true, diagnostics);
    if (diagnostics.found.length === 0) return rule;
  }
  return null;
}

const formOf: Readonly<Record<string, readonly RuleShape[]>> = {
  cap: [1, 2, 3].map((at) => ({ cap: 'parameters.limit', at })).concat({ cap: 'parameters.amount', at: 100 }),
  set: [...[0, 1, 2, 3, 4].map((to) => ({ set: 'parameters.limit', to })), { set: 'parameters.note', to: 'x' }, { set: 'parameters.where.owner', to: 'ada' }],
  drop: [{ drop: 'parameters.note' }, { drop: 'parameters.to' }, { drop: 'parameters.tags.0' }],
  redact: ['note', 'where', 'tags'].flatMap((at) => redactionKinds.map((what) => ({ redact: `parameters.${at}`, what }))),
  restrict: [{ restrict: 'parameters.to', to: ['corp.example'] }, { restrict: 'parameters.to', to: 'internal' }],
  add_filter: [{ add_filter: 'parameters.note', and: 'tenant = 1' }, { add_filter: 'parameters.where', and: 'tenant = 1' }],
};

const anyChange: fc.Arbitrary<RuleShape> = fc.constantFrom(...Object.values(formOf)).chain((alike) => fc.constantFrom(...alike));

const changes = fc.uniqueArray(anyChange, { minLength: 1, maxLength: 3, selector: (one) => String(Object.values(one)[0]) });

/** What goes with an action, so that few generated rules are refused. */
function consequences(action: string): fc.Arbitrary<RuleShape> {
  const obligations = fc.constantFrom({ sandbox: 'no-network' }, { sandbox: 'strict', rate: { max: 3, within: '1m' } }, { redact_output: ['SECRET'] });
  switch (action) {
    case 'STEP_UP':
      return fc.record({ approvers: fc.constantFrom(['a'], ['b', 'c']), quorum: fc.constantFrom(1, 2), all_groups: fc.boolean(), timeout: fc.constantFrom('5m', '1h'), escalate: fc.constantFrom({ to: ['z'], after: '1m' }), obligations }, { requiredKeys: [] });
    case 'MODIFY':
      return fc.record({ modify: changes, obligations }, { requiredKeys: ['modify'] });
    case 'DEFER':
      return fc.record({ context_needed: fc.constantFrom(['target_ownership'], ['criticality'], ['user_intent'], ['recipient', 'criticality']), timeout: fc.constantFrom('1m', '10m') }, { requiredKeys: [] });
    case 'DENY':
      return fc.record({ classification: fc.constantFrom('forbidden'), opaque: fc.constantFrom('DENY', 'STEP_UP') }, { requiredKeys: [] });
    default:
      return fc.record({ obligations }, { requiredKeys: [] });
  }
}

const one = (conditions: Conditions): fc.Arbitrary<RuleShape> =>
  fc.constantFrom(...Object.keys(conditions)).chain((name) => fc.constantFrom(...(conditions[name] ?? [null])).map((condition) => ({ [name]: condition })));

const few = (conditions: Conditions): fc.Arbitrary<RuleShape> => fc.array(one(conditions), { minLength: 1, maxLength: 2 }).map((parts) => Object.assign({}, ...parts) as RuleShape);

const where = {
  tool: fc.constantFrom('lab', 'lab', 'lab', '*', ['lab', 'email']),
  operation: fc.constantFrom('*', '*', '*', '*', '*', '*', ...operations, ['see', 'act']),
  effect: fc.constantFrom(...effects.slice(0, 4), ['read', 'write', 'communicate']),
  parameters: few(parameterConditions),
  identity: one(identityConditions),
};

/** At most two conditions beside the tool: with more of them hardly any generated rule would ever hold. */
const match: fc.Arbitrary<RuleShape> = fc.oneof(
  fc.record({ tool: where.tool, operation: where.operation }),
  fc.record({ tool: where.tool, parameters: where.parameters }),
  fc.record({ tool: where.tool, identity: where.identity }),
  fc.record({ tool: where.tool, effect: where.effect }),
  fc.record({ tool: where.tool, operation: where.operation, parameters: where.parameters }),
);

const shapes: fc.Arbitrary<RuleShape> = fc.constantFrom(...decisionKinds).chain((action) =>
  fc.tuple(match, consequences(action), fc.record({ context: few(contextConditions), when: fc.constantFrom(...expressions), priority: fc.constantFrom(-5, 0, 100, 200, 300, 400), classification: fc.constantFrom('context_dependent_allow') }, { requiredKeys: [] }))
    .map(([matched, then, more]) => ({ action, match: matched, ...more, ...then })));

/** Every condition there is in a rule of its own, for each action, so that none depends on chance. */
function* everyCondition(): Generator<RuleShape> {
  const modify = [{ cap: 'parameters.limit', at: 2 }];
  for (const action of decisionKinds) {
    const then = { action, ...(action === 'MODIFY' ? { modify } : {}) };
    yield { ...then, match: { tool: 'lab' } };
    yield { ...then, match: { tool: 'lab' }, priority: 250 };
    for (const [name, list] of Object.entries(contextConditions)) for (const condition of list) yield { ...then, match: { tool: 'lab' }, context: { [name]: condition } };
    for (const [name, list] of Object.entries(parameterConditions)) for (const condition of list) yield { ...then, match: { tool: 'lab', parameters: { [name]: condition } } };
    for (const [name, list] of Object.entries(identityConditions)) for (const condition of list) yield { ...then, match: { tool: 'lab', identity: { [name]: condition } } };
    for (const when of expressions) yield { ...then, match: { tool: 'lab' }, when };
  }
  for (const name of ['command', 'path', 'to', 'url', 'query']) {
    for (const condition of parameterConditions[name] ?? []) yield { action: 'DENY', classification: 'forbidden', opaque: 'STEP_UP', match: { tool: 'lab', parameters: { [name]: condition } } };
  }
  for (const alike of Object.values(formOf)) for (const change of alike) yield { action: 'MODIFY', match: { tool: 'lab' }, modify: [change] };
}

export const kindOf = (rule: Rule): string => `${rule.classification} ${rule.action}`;

/**
 * A store of rules to draw from: every condition once, then as many chance ones. Building a rule costs more than deciding by it, so
 * each is built once a run; another seed gives another store.
 */
export function ruleStore(seed: number, size = 2500): ReadonlyMap<string, readonly Rule[]> {
  const byKind = new Map<string, Rule[]>();
  let number = 0;
  for (const shape of [...everyCondition(), ...fc.sample(shapes, { numRuns: size, seed })]) {
    const rule = ruleFrom(shape, `r${String(number++).padStart(5, '0')}`);
    if (!rule) continue;
    const alike = byKind.get(kindOf(rule));
    if (alike) alike.push(rule);
    else byKind.set(kindOf(rule), [rule]);
  }
  return byKind;
}
