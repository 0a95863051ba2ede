import fc from 'fast-check';

import { provenances } from '@/lib/context/entry';
import type { PriorAction, Snapshot } from '@/lib/context/snapshot';
import type { CompiledPolicy } from '@/lib/engine/policy';
import type { Rule } from '@/lib/engine/rule';
import { signalNames } from '@/lib/engine/signal-names';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { Effect } from '@/lib/mediate/catalogue';
import type { ActionId, SessionId } from '@/lib/shared/ids';
import type { Json, JsonObject } from '@/lib/shared/json';

import { actionFrom, at, noon, snapshotWith } from './engine-fixtures';
import { operations, policyOf, type LaboratorySettings } from './engine-laboratory';
import { ruleStore } from './engine-rules';

/** One case to decide. `now` moves the clock, so that windows of time are met and missed. */
export type World = { readonly action: CanonicalAction; readonly snapshot: Snapshot; readonly rules: readonly Rule[]; readonly settings: LaboratorySettings; readonly now: string };

export const policyIn = ({ rules, settings }: World): CompiledPolicy => policyOf(rules, settings);

/** Mostly the plain values, seldom the odd ones: an argument that cannot be parsed decides before most rules do. */
const mostly = <T>(plain: readonly T[], odd: readonly T[]): fc.Arbitrary<T> => fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...plain) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });

const addresses = fc.constantFrom('bob@corp.example', 'eve@mail.example', 'carl@sub.corp.example');

/** Parameters of every role, some of which cannot be parsed, and paths that nobody may touch. */
const parametersOf: fc.Arbitrary<JsonObject> = fc.record(
  {
    limit: fc.integer({ min: 0, max: 4 }),
    amount: fc.constantFrom(10, 100, 500),
    note: fc.constantFrom('x', 'a secret', 'reply to eve@mail.example', "a = 'b'", 'token: sk-abcdefghijklmnop1234'),
    to: fc.oneof({ weight: 6, arbitrary: addresses }, { weight: 6, arbitrary: fc.array(addresses, { minLength: 1, maxLength: 2 }) }, { weight: 1, arbitrary: fc.constant('a@b@c.example') }),
    path: mostly(['/srv/data/a', '/srv/../etc/x', '/srv/data-old/b'], ['../../etc/x', '/srv/.countersign/keys']),
    command: mostly(['rm -rf /srv', 'git log --oneline', 'git', 'timeout 5 git log', 'ls; rm a'], ['ls && $(cat x', 'rm "x']),
    url: mostly(['https://docs.example/a', 'https://evil.example/x', 'https://docs.example@evil.example/'], ['nowhere']),
    query: mostly(['SELECT id FROM customers', 'SELECT * FROM orders JOIN customers USING (id)'], ['DELETE FROM orders', 'SELEKT x']),
    table: fc.constantFrom('test_data', 'customers'),
    tags: fc.subarray(['a', 'b']),
    where: fc.constantFrom({ owner: 'ada' }, { owner: 'eve', token: 'x' }, {}),
  },
  { requiredKeys: [] },
);

/** Actions with their facts, drawn once: parsing commands and queries costs more than deciding. */
export const actionStore = (seed: number, size = 1500): readonly CanonicalAction[] =>
  fc.sample(fc.tuple(fc.constantFrom(...operations), parametersOf), { numRuns: size, seed }).map(([operation, given]) => actionFrom(`lab.${operation}`, given, policyOf([])));

const labels = fc.uniqueArray(fc.constantFrom('PII', 'SECRET', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED')).map((found) => found.sort());

/** Mostly what the attribute means, seldom something of another kind. */
const said: Readonly<Record<'owner' | 'criticality' | 'directory' | 'effect.count', fc.Arbitrary<Json>>> = {
  owner: fc.constantFrom<Json>('ada@corp.example', 'ada@corp.example', 'eve@corp.example', 'eve@mail.example', ['ada@corp.example', 'eve@corp.example']),
  criticality: fc.constantFrom<Json>('high', 'low', ['high', 'low'], 3),
  directory: fc.constantFrom<Json>('staff', 'guest'),
  'effect.count': fc.constantFrom<Json>(5, 5000, 'many'),
};

const fact: fc.Arbitrary<Snapshot['attributes'][number]> = fc
  .tuple(fc.constantFrom('lab:test_data', 'lab:customers', 'recipient:bob@corp.example', 'recipient:eve@mail.example', 'action:act_1'), fc.constantFrom('owner' as const, 'criticality' as const, 'directory' as const, 'effect.count' as const))
  .chain(([subject, name]) =>
    fc.record({
      subject: fc.constant(subject),
      name: fc.constant(name),
      value: said[name],
      unavailable: fc.constantFrom(false, false, false, true),
      source: fc.constantFrom(name === 'effect.count' ? 'pep:gate' : 'ip:records', 'ip:records', 'ip:stranger'),
      observed_at: fc.constantFrom(at(1), at(1), at(9)),
    }));

/** What the arguments of a prior action showed, beside what its operation does. */
const shown = fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.subarray<Effect>(['read', 'write', 'destructive', 'communicate'], { minLength: 1, maxLength: 2 }) });

function effectsOf(operation: 'see' | 'act' | 'send', more: readonly Effect[]): Pick<PriorAction, 'effect' | 'effects'> {
  const effect = operation === 'see' ? 'read' : operation === 'act' ? 'write' : 'communicate';
  const all = [...new Set<Effect>([effect, ...more])];
  return all.length === 1 ? { effect } : { effect, effects: all };
}

const prior: fc.Arbitrary<Snapshot['prior']> = fc
  .tuple(fc.array(fc.record({ operation: fc.constantFrom('see', 'act', 'send'), minutes: fc.integer({ min: 0, max: 90 }), labels, amount: fc.constantFrom(undefined, 60, 400), shown }), { maxLength: 4 }), fc.constantFrom(0, 0, 3))
  .map(([list, more]) => {
    const recent = list.map((one, i) => ({
      action: `act_${String(i).padStart(22, '0')}` as ActionId, tool: 'lab', operation: one.operation, ...effectsOf(one.operation, one.shown), at: at(one.minutes), labels: one.labels,
      ...(one.amount === undefined ? {} : { amount: one.amount }),
    })).sort((a, b) => (a.at < b.at ? -1 : 1));
    const counts: Record<string, number> = {};
    for (const one of recent) counts[`lab.${one.operation}`] = (counts[`lab.${one.operation}`] ?? 0) + 1;
    // Actions before the ones that are shown: known by their number alone.
    if (more > 0) counts['lab.see'] = (counts['lab.see'] ?? 0) + more;
    return { counts, recent, total: recent.length + more };
  });

const scores = fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 3, arbitrary: fc.constantFrom(100, 390, 400, 600, 749, 750, 900, 1000) });

const signals: fc.Arbitrary<Snapshot['signals']> = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...signalNames), score: scores, weight: fc.integer({ min: 1, max: 1000 }), evidence: fc.constant('generated'),
    missing: fc.constantFrom('user_intent', 'target_ownership', 'attributes.criticality', 'recipient.external'),
  }),
  { minLength: 1, maxLength: 3, selector: ({ name }) => name },
);

const places = fc.constantFrom('note', 'to', 'to[0]', 'limit', 'path', 'table', 'where.owner');

export const snapshotArbitrary: fc.Arbitrary<Snapshot> = fc
  .record({
    labels, prior, signals,
    intent: fc.option(fc.record({ affirmed: fc.subarray(['delete', 'send']), doubtful: fc.subarray(['delete']) }), { freq: 5 }),
    provenance: fc.uniqueArray(fc.record({ path: places, source: fc.constantFrom(...provenances) }), { maxLength: 4, selector: ({ path }) => path }),
    attributes: fc.array(fact, { maxLength: 3 }),
    guards: fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(fc.record({ guard: fc.constantFrom('scan', 'paths'), verdict: fc.constantFrom('redact', 'redact', 'hold', 'block', 'failed'), path: fc.constantFrom('note', 'where.token', 'to[0]'), detail: fc.constant('found') }), { maxLength: 2 }) }),
    points: fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(fc.record({ point: fc.constantFrom('other', 'third'), answer: fc.constantFrom('permit', 'permit', 'deny', 'indeterminate', 'fault'), cause: fc.constant('said') }), { maxLength: 2 }) }),
    grants: fc.constantFrom([], ['grant-1'], ['grant-2', 'grant-1']),
    role: fc.constantFrom('assistant', 'robot'),
    service: fc.constantFrom('helpdesk', 'helpdesk', 'other', 'third'),
    scope: fc.constantFrom(['mail', 'data'], ['mail', 'gold'], []),
    opened_at: fc.constantFrom(at(30), at(30), at(5), at(90)),
    human: fc.constantFrom('ada@corp.example', 'eve@corp.example'),
    delegation: fc.constantFrom([], [], ['ses_1111111111111111111111' as SessionId]),
    assurance: fc.constantFrom('verified', 'orchestrator', 'same_host', null),
    // Step 0 is seldom: it decides before anything else is looked at.
    session: fc.oneof({ weight: 60, arbitrary: fc.constant('open' as const) }, { weight: 1, arbitrary: fc.constantFrom('closed' as const, 'expired' as const) }),
    ends: fc.oneof({ weight: 60, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom('killed' as const, 'unverified' as const) }),
  })
  .map(({ assurance, session, ends, role, human, service, scope, delegation, opened_at, ...more }) => {
    const plain = snapshotWith(more);
    return { ...plain, session: { ...plain.session, assurance, state: session, opened_at }, identity: { ...plain.identity, role, human, service, scope, delegation }, killed: ends === 'killed', identity_verified: ends !== 'unverified' };
  });

const settingsArbitrary: fc.Arbitrary<LaboratorySettings> = fc.record({ decision: fc.constantFrom('DENY', 'DENY', 'DENY', 'ALLOW', 'STEP_UP', 'DEFER'), internal: fc.constantFrom(true, true, false) });

/** A Monday noon, an evening, a Saturday, and a time that is none. */
const times = fc.oneof({ weight: 40, arbitrary: fc.constantFrom(noon, noon, '2030-06-03T22:30:00.000Z', '2030-06-08T03:00:00.000Z') }, { weight: 1, arbitrary: fc.constant('some day') });

export type Laboratory = {
  readonly world: fc.Arbitrary<World>;
  /** A rule of any kind, kinds being equally likely. */
  readonly rule: fc.Arbitrary<Rule>;
  readonly rulesOf: (wanted: (rule: Rule) => boolean) => readonly Rule[];
};

/** Everything that tests draw from. The same seed gives the same laboratory. */
export function laboratoryOf(seed: number): Laboratory {
  const store = ruleStore(seed);
  const rule = fc.constantFrom(...store.values()).chain((alike) => fc.constantFrom(...alike));
  const rulesOf = (wanted: (one: Rule) => boolean): readonly Rule[] => [...store.values()].flat().filter(wanted);
  return { world: worldArbitrary(actionStore(seed), rule, rulesOf), rule, rulesOf };
}

/** Worlds as they come, and such as the steps of a decision need: chance alone would seldom bring those about. */
function worldArbitrary(actions: readonly CanonicalAction[], rule: fc.Arbitrary<Rule>, rulesOf: Laboratory['rulesOf']): fc.Arbitrary<World> {
  const some = (from: fc.Arbitrary<Rule>, minLength: number, maxLength: number): fc.Arbitrary<readonly Rule[]> => fc.uniqueArray(from, { minLength, maxLength, selector: ({ id }) => id });
  const of = (wanted: (one: Rule) => boolean): fc.Arbitrary<Rule> => fc.constantFrom(...rulesOf(wanted));
  const joined = (...parts: readonly fc.Arbitrary<readonly Rule[]>[]): fc.Arbitrary<readonly Rule[]> =>
    fc.tuple(...parts).map((lists) => [...new Map(lists.flat().map((one) => [one.id, one])).values()]);
  const world = (rules: fc.Arbitrary<readonly Rule[]>, wanted: (action: CanonicalAction) => boolean = () => true, settings = settingsArbitrary): fc.Arbitrary<World> =>
    fc.record({ action: fc.constantFrom(...actions.filter(wanted)), snapshot: snapshotArbitrary, rules, settings, now: times });

  const fixed = of((one) => one.classification === 'static');
  const everywhere = (one: Rule): boolean => one.applies.is === 'all' && one.applies.of.length === 0;
  const plain = of((one) => one.classification === 'static' && everywhere(one));
  const open = of((one) => one.classification === 'static' && one.action === 'ALLOW' && everywhere(one));
  const allows = of((one) => one.classification === 'context_dependent_allow');
  const changes = of((one) => one.modify.some(({ form }) => form !== 'cap'));
  const change = fc.constantFrom(...['set', 'cap', 'drop', 'restrict', 'redact', 'add_filter']).chain((form) => of((one) => everywhere(one) && one.classification === 'static' && one.modify.length === 1 && one.modify[0]?.form === form));
  // What waits for facts: with more than eight of them only the extremes are tried.
  const unsure = of((one) => everywhere(one) && /"of":"owner"|criticality/.test(JSON.stringify(one.context)));
  const denying = fc.constant({ decision: 'DENY', internal: true });
  const level = (one: Rule): Rule => ({ ...one, priority: 7 });
  return fc.oneof(
    { weight: 10, arbitrary: world(some(rule, 0, 6)) },
    { weight: 3, arbitrary: world(joined(some(plain.map(level), 1, 2), some(fixed.map(level), 1, 3), some(rule, 0, 2))) },
    { weight: 4, arbitrary: world(some(allows, 3, 7), ({ operation, facts }) => (operation === 'see' || operation === 'send' || operation === 'act') && facts.opaque.length === 0, denying) },
    { weight: 3, arbitrary: world(joined(some(allows.map((one) => ({ ...one, priority: 400 })), 1, 3), some(plain, 1, 2), some(plain.map(level), 0, 2))) },
    { weight: 4, arbitrary: world(joined(some(change.map(level), 0, 3), some(changes, 0, 2), some(open, 1, 1), some(rule, 0, 1)), ({ facts }) => facts.opaque.length === 0) },
    { weight: 1, arbitrary: world(joined(some(of((one) => one.classification === 'forbidden'), 1, 3), some(rule, 0, 2)), ({ facts }) => facts.opaque.length > 0) },
    { weight: 2, arbitrary: world(some(of((one) => one.opaque === 'STEP_UP'), 1, 3), ({ facts }) => facts.opaque.length > 0) },
    { weight: 2, arbitrary: world(some(unsure, 2, 5)) },
    { weight: 1, arbitrary: world(joined(some(unsure, 14, 18), some(plain, 0, 1))) },
  );
}
