import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { byPriority } from '@/lib/engine/by-priority';
import { decide } from '@/lib/engine/decide';
import type { CompiledPolicy, OperationRules, StepRules } from '@/lib/engine/policy';
import { rulesFor } from '@/lib/engine/rules-for';
import type { Json } from '@/lib/shared/json';
import { actionFrom, noon, policyFrom, policyText, snapshotWith } from '@/lib/testing/engine-fixtures';

const steps = ['forbidden', 'statics', 'denies', 'allows', 'joins'] as const;

/** The same policy with every rule to be looked at. */
function withoutLookUp(policy: CompiledPolicy): CompiledPolicy {
  const flat = ({ open, insisting, readsRecent }: OperationRules): OperationRules => {
    const list = (step: keyof StepRules): StepRules[typeof step] => [open, ...insisting.map(({ all }) => all)].flatMap((rules) => [...rules[step]]).sort(byPriority);
    return { open: { forbidden: list('forbidden'), statics: list('statics'), denies: list('denies'), allows: list('allows'), joins: list('joins') }, insisting: [], readsRecent };
  };
  return { ...policy, index: new Map([...policy.index].map(([key, rules]) => [key, flat(rules)])) };
}

const header = `tools:
  - { name: lab.act, effect: write, impact: high, parameters: {
      note: { type: any, optional: true }, table: { type: string, optional: true, role: target }, limit: { type: number, optional: true },
      path: { type: string, optional: true, role: path }, to: { type: array, items: string, scalar_or_array: true, optional: true, role: recipients } } }`;

/** Conditions that insist on texts, and others beside them that must not be taken for such. */
const matches = [
  ...['{ role: assistant }', '{ role: [clerk, assistant] }', '{ role: clerk }', '{ agent: agent-1 }', '{ scope: mail }', '{ role: { not: clerk } }'].map((identity) => `identity: ${identity}`),
  ...['{ note: x }', '{ note: [x, y, x] }', '{ note: { in: [y, 3] } }', '{ note: { not: x } }', '{ note: 3 }', '{ note: { exists: false } }', '{ table: test_data }', '{ table: [customers, test_data] }', '{ table: customers, note: x }',
    '{ to: Bob@corp.example }', '{ path: /SRV/data/a }', '{ limit: 3 }'].map((parameters) => `parameters: ${parameters}`),
  'identity: { role: assistant }, parameters: { note: [x, y] }',
];
const endings = ['action: ALLOW', 'action: DENY', 'action: STEP_UP', 'action: MODIFY, modify: [{ set: parameters.note, to: y }]', 'action: DENY, classification: forbidden', 'action: DENY, context: { data_classification: { contains: [PII] } }'];
const rule = fc.tuple(fc.constantFrom(...matches), fc.constantFrom(...endings), fc.constantFrom(0, 100, 300));

const policy = fc.array(rule, { minLength: 12, maxLength: 24 }).map((rules) =>
  policyFrom(policyText(rules.map(([match, ending, priority], n) => `  - { id: r${String(n)}, match: { tool: lab, ${match} }, ${ending}, priority: ${String(priority)} }\n`).join(''), header)));
const parameters = fc.record({
  note: fc.constantFrom<Json>('x', 'y', ['x'], ['x', 'y'], [], 3), table: fc.constantFrom('test_data', 'customers', 'other'), limit: fc.constantFrom(3, 4),
  path: fc.constantFrom('/srv/data/a', '/srv/b'), to: fc.constantFrom<Json>('bob@corp.example', ['eve@mail.example', 'bob@corp.example']),
}, { requiredKeys: [] });
const role = fc.constantFrom('assistant', 'clerk', 'cook');
const labels = fc.subarray(['PII']);

describe('looking rules up by the values that they insist on', () => {
  test('changes no decision', () => {
    let lookedUp = 0;
    fc.assert(
      fc.property(policy, parameters, role, labels, fc.subarray(['note', 'table']), (compiled, given, own, seen, opaque) => {
        const proposed = actionFrom('lab.act', Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)), compiled);
        const action = { ...proposed, facts: { ...proposed.facts, opaque } };
        const snapshot = { ...snapshotWith({ labels: seen }), identity: { ...snapshotWith().identity, role: own } };
        if ((compiled.index.get('lab.act')?.insisting.length ?? 0) > 0) lookedUp++;
        expect(decide(action, snapshot, compiled, noon)).toEqual(decide(action, snapshot, withoutLookUp(compiled), noon));
      }),
      { numRuns: 120, seed: 5 },
    );
    expect(lookedUp).toBeGreaterThan(80);
  }, 60_000);

  test('never looks at rules for other roles and other targets, however many there are', () => {
    const lines = Array.from({ length: 300 }, (_, n) => `  - { id: r${String(n)}, match: { tool: database, operation: delete, identity: { role: team-${String(n)} } }, action: DENY }
  - { id: t${String(n)}, match: { tool: database, operation: delete, parameters: { table: table-${String(n)} } }, action: DENY }\n`);
    const policy = policyFrom(policyText(lines.join('')));
    const proposed = actionFrom('database.delete', { table: 'table-7' }, policy);
    const snapshot = snapshotWith();
    const situation = { action: proposed, snapshot: { ...snapshot, identity: { ...snapshot.identity, role: 'team-9' } }, policy, nowMs: Date.parse(noon) };
    const lists = rulesFor(policy.index.get('database.delete'), situation);
    expect(lists.flatMap((list) => steps.flatMap((step) => list[step].map(({ id }) => id))).sort()).toEqual(['r9', 't7']);
  });

  test('looks at all of them where the value cannot be read', () => {
    const lines = Array.from({ length: 5 }, (_, n) => `  - { id: r${String(n)}, match: { tool: http, operation: fetch, parameters: { method: "M${String(n)}" } }, action: DENY }\n`);
    const policy = policyFrom(policyText(lines.join('')));
    const proposed = actionFrom('http.fetch', { url: 'https://a.example/', method: 'M1' }, policy);
    const hidden = { ...proposed, facts: { ...proposed.facts, opaque: ['method'] } };
    const seen = (of: typeof proposed): number => rulesFor(policy.index.get('http.fetch'), { action: of, snapshot: snapshotWith(), policy, nowMs: 0 }).reduce((sum, { statics }) => sum + statics.length, 0);
    expect([seen(proposed), seen(hidden)]).toEqual([1, 5]);
  });
});
