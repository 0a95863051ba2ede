import fc from 'fast-check';

import { provenances } from '@/lib/context/entry';
import type { Snapshot } from '@/lib/context/snapshot';
import type { CompiledPolicy } from '@/lib/engine/policy';
import type { Rule } from '@/lib/engine/rule';
import type { CanonicalAction } from '@/lib/mediate/action';
import { decisionKinds } from '@/lib/mediate/catalogue';
import { extendCatalogue } from '@/lib/mediate/extend';
import { buildRule } from '@/lib/policy/build-rule';
import { compilePolicy } from '@/lib/policy/compile-policy';
import { Diagnostics } from '@/lib/policy/diagnostics';
import { ruleSchema } from '@/lib/policy/document-schema';
import type { ActionId } from '@/lib/shared/ids';
import type { JsonObject } from '@/lib/shared/json';

import { actionFrom, at, policyFrom, policyText, snapshotWith, stock } from './engine-fixtures';

/** A laboratory with few words, so that generated rules, actions and contexts meet. */
const parameters = {
  to: { type: 'array', items: 'string', scalar_or_array: true, optional: true, role: 'recipients' },
  path: { type: 'string', optional: true, role: 'path' },
  command: { type: 'string', optional: true, role: 'command' },
  table: { type: 'string', optional: true, role: 'target' },
  limit: { type: 'number', optional: true },
  note: { type: 'string', optional: true },
} as const;
const extended = extendCatalogue(stock, [
  { name: 'lab.see', effect: 'read', impact: 'low', parameters },
  { name: 'lab.act', effect: 'write', impact: 'high', parameters },
  { name: 'lab.reach', effect: 'grant', impact: 'critical', grant: true, parameters },
  { name: 'lab.open', effect: 'read', impact: 'low', decision: 'ALLOW', parameters },
]);
if (!extended.ok) throw new Error('The laboratory’s tools do not load.');
export const laboratory = extended.value;

const base = policyFrom(policyText('', `directory: { internal_domains: [corp.example] }
information: { owner: { from: ["ip:records"], max_age: 5m }, criticality: { from: ["ip:records"] } }`));

const addresses = fc.constantFrom('bob@corp.example', 'eve@mail.example', 'carl@sub.corp.example');
const limit = fc.integer({ min: 0, max: 4 });

/** One or two of the conditions: with more of them, hardly any generated rule would ever hold. */
function few(conditions: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const one = fc.constantFrom(...Object.keys(conditions)).chain((name) => (conditions[name] ?? fc.constant(null)).map((condition) => [name, condition] as const));
  return fc.array(one, { minLength: 1, maxLength: 2 }).map((chosen) => Object.fromEntries(chosen));
}

const parameterConditions = few({
  limit: fc.oneof(limit.map((value) => ({ gt: value })), limit.map((value) => ({ lte: value })), limit, fc.constant({ exists: false })),
  note: fc.oneof(fc.constant({ contains: 'secret' }), fc.constant({ not: 'x' }), fc.constant({ matches: '^re' })),
  to: fc.oneof(fc.constant({ domain_in: ['corp.example'] }), fc.constant({ not_in: ['bob@corp.example'] }), fc.constant({ external: true })),
  path: fc.constantFrom({ within: '/srv' }, { not: { starts_with: '/srv/data' } }),
  command: fc.constantFrom({ in: ['rm', 'dd'] }, { starts_with: 'git log' }, { not_in: ['ls'] }),
});

const contextConditions = few({
  prior_actions: fc.constantFrom({ contains: ['lab.see'] }, { not: { contains: ['lab.act'] } }),
  data_classification: fc.constantFrom({ contains: ['PII'] }, { contains: 'CONFIDENTIAL' }, { not: { contains: ['PII', 'RESTRICTED'] } }, { lte: 'INTERNAL' }, { higher_than: 'INTERNAL' }),
  user_intent: fc.constantFrom({ contains: ['delete', 'send'] }, { not: { contains: ['delete'] } }),
  target_ownership: fc.constantFrom({ owned_by: 'requesting_user' }, { not: { owned_by: 'requesting_user' } }),
  recipient: fc.constantFrom({ external: true }, { external: false }),
  provenance: fc.constantFrom({ note: { in: ['untrusted_output', 'nowhere'] } }, { '*': ['nowhere'] }, { to: { in: ['request', 'person'] } }, { limit: { not_in: ['nowhere', 'untrusted output', 'policy'] } }),
  attributes: fc.constantFrom({ criticality: { in: ['high'] } }, { criticality: { not: 'high' } }),
  count: fc.constantFrom({ tool: 'lab', gt: 1, within: '10m' }, { effect: 'read', gt: 2 }),
  sequence: fc.constant({ steps: [{ tool: 'lab', operation: 'see', label: 'PII' }, { tool: 'lab' }], within: '1h' }),
  elapsed: fc.constantFrom({ gt: '20m' }, { lt: '10m' }),
});

const changes = fc.uniqueArray(
  fc.oneof(
    limit.map((value) => ({ cap: 'parameters.limit', at: value })),
    limit.map((value) => ({ set: 'parameters.limit', to: value })),
    fc.constantFrom({ drop: 'parameters.note' }, { redact: 'parameters.note', what: ['PII'] }, { set: 'parameters.note', to: 'x' }),
    fc.constant({ restrict: 'parameters.to', to: ['corp.example'] }),
    fc.constant({ add_filter: 'parameters.note', and: 'tenant = 1' }),
  ),
  { minLength: 1, maxLength: 3, selector: (change) => JSON.stringify(Object.values<unknown>(change)[0]) },
);

const when = fc.constantFrom('parameters.limit <= 2', '!has(parameters.note)', 'identity.role == "assistant" && parameters.limit > 1', '"PII" in context.labels', '!("PII" in context.labels)');

type RuleShape = { readonly id?: string; readonly [key: string]: unknown };

const ruleShape: fc.Arbitrary<RuleShape> = fc
  .record(
    {
      action: fc.constantFrom('ALLOW', 'DENY', 'MODIFY', 'STEP_UP', 'DEFER'),
      match: fc.record({ tool: fc.constantFrom('lab', 'lab', '*', 'email'), operation: fc.constantFrom('see', 'act', 'reach', 'open', '*', '*'), parameters: parameterConditions }, { requiredKeys: ['tool'] }),
      context: contextConditions,
      when,
      classification: fc.constantFrom('forbidden', 'context_dependent_allow'),
      priority: fc.constantFrom(-5, 0, 100, 200, 300, 400),
      approvers: fc.constantFrom(['a'], ['b', 'c']),
      quorum: fc.constantFrom(1, 2),
      modify: changes,
      context_needed: fc.constantFrom(['target_ownership'], ['criticality']),
      opaque: fc.constantFrom('DENY', 'STEP_UP'),
      obligations: fc.constantFrom({ sandbox: 'no-network' }, { redact_output: ['SECRET'] }),
    },
    { requiredKeys: ['action', 'match'] },
  )
  .map((shape) => Object.fromEntries(Object.entries(shape).filter(([key]) => means(shape.action, key))));

/** Only keys that mean something for the action, so that few generated rules are refused. */
function means(action: string, key: string): boolean {
  if (key === 'approvers' || key === 'quorum') return action === 'STEP_UP';
  if (key === 'modify') return action === 'MODIFY';
  if (key === 'context_needed') return action === 'DEFER';
  if (key === 'obligations') return action !== 'DENY' && action !== 'DEFER';
  return true;
}

/** The rule as the loader builds it; null when the loader would refuse it. Keys that alone make it refused are left out first. */
export function ruleFrom(shape: RuleShape, id: string): Rule | null {
  const tries = [[], ['classification'], ['opaque'], ['classification', 'opaque'], ['classification', 'opaque', 'when'], ['classification', 'opaque', 'context']];
  for (const without of tries) {
    const raw = Object.fromEntries(Object.entries({ id, ...shape }).filter(([key]) => !without.includes(key)));
    const parsed = ruleSchema.safeParse(raw);
    if (!parsed.success) continue;
    const diagnostics = new Diagnostics();
    const rule = buildRule(parsed.data, [], laboratory, true, diagnostics);
    if (diagnostics.found.length === 0) return rule;
  }
  return null;
}

export const ruleArbitrary: fc.Arbitrary<Rule> = fc
  .tuple(ruleShape, fc.integer({ min: 0, max: 99_999 }))
  .map(([shape, number]) => ruleFrom(shape, `r${String(number).padStart(5, '0')}`))
  .filter((rule) => rule !== null);

/** Rules of another tool: none of them can apply to what the laboratory does. */
export const foreignRuleArbitrary: fc.Arbitrary<Rule> = fc
  .tuple(ruleShape, fc.integer({ min: 0, max: 99_999 }))
  .map(([shape, number]) => ruleFrom({ ...shape, match: { tool: 'email' } }, `f${String(number).padStart(5, '0')}`))
  .filter((rule) => rule !== null);

export const rulesArbitrary = fc.uniqueArray(ruleArbitrary, { maxLength: 7, selector: (rule) => rule.id });

export const settingsArbitrary = fc.record({
  decision: fc.constantFrom('DENY', 'DENY', 'DENY', 'ALLOW', 'STEP_UP', 'DEFER'),
  internal: fc.boolean(),
});

export function policyOf(rules: readonly Rule[], { decision, internal }: { decision: string; internal: boolean } = { decision: 'DENY', internal: true }): CompiledPolicy {
  const kind = decisionKinds.find((known) => known === decision) ?? 'DENY';
  const settings = { ...base, defaults: { decision: kind, unclassified: 'RESTRICTED' as const }, internalDomains: internal ? base.internalDomains : null };
  return compilePolicy({ settings, catalogue: laboratory, rules, digest: base.digest, tables: base.tables, locate: () => ({ line: 1, column: 1 }), places: new Map() });
}

export const actionArbitrary: fc.Arbitrary<CanonicalAction> = fc
  .tuple(
    fc.constantFrom('lab.see', 'lab.act', 'lab.reach', 'lab.open'),
    fc.record(
      {
        limit,
        note: fc.constantFrom('x', 'a secret', 'reply to eve@mail.example', "a = 'b'"),
        to: fc.oneof(addresses, fc.array(addresses, { minLength: 1, maxLength: 2 })),
        path: fc.constantFrom('/srv/data/a', '/srv/../etc/x', '../../etc/x', '/srv/data-old/b'),
        command: fc.constantFrom('rm -rf /srv', 'git log --oneline', 'ls && $(cat x', 'rm "x', 'timeout 5 git log'),
        table: fc.constantFrom('test_data', 'customers'),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([name, given]) => actionFrom(name, given as JsonObject, policyOf([])));

const fact = fc.record({
  subject: fc.constantFrom('lab:test_data', 'lab:customers'), name: fc.constantFrom('owner', 'criticality'),
  value: fc.constantFrom('ada@corp.example', 'eve@corp.example', 'high', 'low'), unavailable: fc.boolean(),
  source: fc.constantFrom('ip:records', 'ip:records', 'ip:stranger'), observed_at: fc.constantFrom(at(1), at(9)),
});

const labels = fc.uniqueArray(fc.constantFrom('PII', 'SECRET', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED')).map((found) => found.sort());

const prior = fc.array(fc.record({ operation: fc.constantFrom('see', 'act'), minutes: fc.integer({ min: 0, max: 90 }), labels }), { maxLength: 4 }).chain((list) =>
  fc.constantFrom(0, 3).map((more) => {
    const recent = list.map((one, i) => ({
      action: `act_${String(i).padStart(22, '0')}` as ActionId, tool: 'lab', operation: one.operation,
      effect: one.operation === 'see' ? ('read' as const) : ('write' as const), at: at(one.minutes), labels: one.labels,
    })).sort((a, b) => (a.at < b.at ? -1 : 1));
    const counts: Record<string, number> = {};
    for (const one of recent) counts[`lab.${one.operation}`] = (counts[`lab.${one.operation}`] ?? 0) + 1;
    if (more > 0) counts['lab.see'] = (counts['lab.see'] ?? 0) + more;
    return { counts, recent, total: recent.length + more };
  }));

const signal = fc.record({
  name: fc.constantFrom('verb', 'owner', 'distance'), score: fc.oneof(fc.constant(null), fc.constantFrom(100, 390, 400, 600, 749, 750, 900), fc.integer({ min: 0, max: 1000 })),
  weight: fc.integer({ min: 1, max: 1000 }), evidence: fc.constant('generated'), missing: fc.constantFrom('user_intent', 'target_ownership', 'nothing'),
});

export const snapshotArbitrary: fc.Arbitrary<Snapshot> = fc
  .record({
    labels, prior,
    intent: fc.option(fc.record({ affirmed: fc.subarray(['delete', 'send']), doubtful: fc.subarray(['delete']) }), { freq: 5 }),
    provenance: fc.array(fc.record({ path: fc.constantFrom('note', 'to', 'to[0]', 'limit', 'path'), source: fc.constantFrom(...provenances) }), { maxLength: 4 }),
    attributes: fc.array(fact, { maxLength: 3 }),
    signals: fc.array(signal, { minLength: 1, maxLength: 3 }),
    guards: fc.array(fc.record({ guard: fc.constant('scan'), verdict: fc.constantFrom('redact', 'hold', 'block', 'failed'), path: fc.constant('note'), detail: fc.constant('found') }), { maxLength: 1 }),
    points: fc.array(fc.record({ point: fc.constant('other'), answer: fc.constantFrom('permit', 'permit', 'deny', 'indeterminate', 'fault'), cause: fc.constant('said') }), { maxLength: 1 }),
    grants: fc.subarray(['grant-1', 'grant-2']),
    assurance: fc.constantFrom('verified', 'orchestrator', 'same_host', null),
  })
  .map(({ assurance, ...more }) => snapshotWith({ ...more, session: { ...snapshotWith().session, assurance } }));
