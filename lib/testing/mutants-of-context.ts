import type { Evidence } from '@/lib/context/take-snapshot';
import { LabelLedger } from '@/lib/context/label-ledger';
import type { ContextEntry } from '@/lib/context/entry';
import type { Snapshot } from '@/lib/context/snapshot';
import type { InformationSource } from '@/lib/engine/policy';
import { append, instant } from '@/lib/cli/conformance/reference/world';

import { mutant, type Mutant } from './mutants-of-modules';

/** Looks something else up than there is. */
const gathers = (id: string, says: string, change: (evidence: Evidence) => Evidence): Mutant =>
  mutant(id, says, 'context/take-snapshot', 'takeSnapshot', (original) => (state, action, evidence) => original(state, action, change(evidence)));

/** Sees something else than there is. */
const sees = (id: string, says: string, change: (snapshot: Snapshot) => Snapshot): Mutant =>
  mutant(id, says, 'context/take-snapshot', 'takeSnapshot', (original) => (state, action, evidence) => change(original(state, action, evidence)));

/** Does not write some entries down. */
const forgets = (id: string, says: string, drops: (entry: ContextEntry, seq: number) => boolean): Mutant =>
  mutant(id, says, 'cli/conformance/reference/world', 'append', (original) => (session, entry) => {
    if (!drops(entry, session.chain.length + 1)) original(session, entry);
  });

/** Believes others, or longer, than the policy says. */
const believes = (id: string, says: string, change: Partial<InformationSource>): Mutant =>
  mutant(id, says, 'policy/compile-policy', 'compilePolicy', (original) => (parsed) => {
    const information = new Map([...parsed.settings.information].map(([name, source]) => [name, { ...source, ...change }]));
    return original({ ...parsed, settings: { ...parsed.settings, information } });
  });

const concepts = ['delete', 'cleanup', 'send', 'pay'];

export const contextMutants: readonly Mutant[] = [
  gathers('guards-ignored', 'Inspectors are not heard.', (evidence) => ({ ...evidence, guards: [] })),
  gathers('guard-failure-passes', 'An inspector that failed found nothing.', (evidence) => ({ ...evidence, guards: evidence.guards.filter(({ verdict }) => verdict !== 'failed') })),
  gathers('points-ignored', 'Other decision points are not heard.', (evidence) => ({ ...evidence, points: [] })),
  gathers('point-fault-passes', 'A decision point that failed said nothing.', (evidence) => ({ ...evidence, points: evidence.points.filter(({ answer }) => answer !== 'fault') })),
  gathers('kill-switch-ignored', 'The kill switch changes nothing.', (evidence) => ({ ...evidence, killed: false })),
  gathers('identity-not-verified', 'Identities are taken as they are.', (evidence) => ({ ...evidence, identityVerified: true })),
  gathers('time-stands-still', 'Every session has just begun.', (evidence) => ({ ...evidence, session: { ...evidence.session, opened_at: evidence.now } })),
  believes('any-source-counts', 'Every source is believed.', { from: ['ip:records', 'ip:rumours'] }),
  believes('facts-never-age', 'An observation counts for ever.', { max_age_s: null }),
  gathers('own-permit-counts', 'An action’s own permit is one of its prior actions.', ({ excludeAction: _excludeAction, ...evidence }) => evidence),

  sees('prior-actions-forgotten', 'Every action is the first.', (snapshot) => ({ ...snapshot, prior: { counts: {}, recent: [], total: 0 } })),
  sees('labels-forgotten', 'Nothing that was read classifies the session.', (snapshot) => ({ ...snapshot, labels: [] })),
  sees('everything-is-restricted', 'Every session has seen the most sensitive data.', (snapshot) => ({ ...snapshot, labels: ['PII', 'RESTRICTED'] })),
  sees('request-forgotten', 'The user asked for nothing.', (snapshot) => ({ ...snapshot, requests: null, intent: null })),
  sees('negation-ignored', 'A word in a request asks for it, whatever stands around it.', (snapshot) => ({
    ...snapshot,
    intent: snapshot.intent && { ...snapshot.intent, affirmed: [...snapshot.intent.affirmed, ...concepts.filter((word) => snapshot.requests?.join(' ').toLowerCase().includes(word) === true)] },
  })),
  sees('doubt-is-consent', 'What a request leaves open it asks for.', (snapshot) => ({
    ...snapshot, intent: snapshot.intent && { affirmed: [...snapshot.intent.affirmed, ...snapshot.intent.doubtful], doubtful: [] },
  })),
  sees('everything-is-from-the-user', 'Every value counts as the user’s.', (snapshot) => ({ ...snapshot, provenance: snapshot.provenance.map((leaf) => ({ ...leaf, source: 'request' })) })),
  sees('everything-is-made-up', 'No value counts as the user’s.', (snapshot) => ({ ...snapshot, provenance: snapshot.provenance.map((leaf) => ({ ...leaf, source: 'nowhere' })) })),
  sees('unavailable-is-forgotten', 'That a source has no answer is forgotten.', (snapshot) => ({ ...snapshot, attributes: snapshot.attributes.filter(({ unavailable }) => !unavailable) })),

  mutant('counts-ignored', 'Nothing was ever done before.', 'engine/count-actions', 'countActions', () => () => ({ state: 'known', values: [0], set: false })),
  mutant('windows-ignored', 'A count looks at all time.', 'engine/count-actions', 'countActions', (original) => (situation, field) => original(situation, { ...field, within_s: null })),
  mutant('own-action-counted', 'A count has the action itself in it.', 'engine/count-actions', 'countActions', (original) => (situation, field) => {
    const reading = original(situation, field);
    return reading.state === 'known' ? { ...reading, values: reading.values.map((value) => Number(value) + 1) } : reading;
  }),
  mutant('unclassified-is-public', 'What nobody classified is public.', 'context/permit-labels', 'permitLabels', (original) => (action) => original(action, 'PUBLIC')),
  mutant('outputs-not-inspected', 'Outputs classify nothing.', 'guards/guard-output', 'guardOutput', (original) => (text) => ({ ...original(text), labels: [] })),

  forgets('permits-not-recorded', 'An action is no prior action when it was permitted.', (entry) => entry.kind === 'permit'),
  forgets('outcomes-not-recorded', 'Outcomes are not written down.', (entry) => entry.kind === 'outcome'),
  forgets('attributes-not-recorded', 'What was supplied is not written down.', (entry) => entry.kind === 'attribute'),
  forgets('messages-not-recorded', 'Later messages are not written down.', (entry, seq) => entry.kind === 'request' && seq > 1),
  mutant('history-rewritten', 'The first link becomes another.', 'cli/conformance/reference/world', 'append', (original) => (session, entry) => {
    original(session, entry);
    const last = session.chain.at(-1);
    if (last) session.chain[0] = last;
  }),
  mutant('labels-fall', 'A new message declassifies the session.', 'cli/conformance/reference/world', 'append', (original) => (session, entry) => {
    original(session, entry);
    if (entry.kind === 'request') Object.assign(session.state, { labels: new LabelLedger() });
  }),
  mutant('denied-actions-count', 'An action that was denied is a prior action.', 'cli/conformance/reference/take-decision', 'takeDecision', (original) => (world, action, decision) => {
    original(world, action, decision);
    const { id, asked: { tool, operation, entry, parameters } } = action;
    if (action.state !== 'denied') return;
    append(action.session, { kind: 'permit', at: instant(world.now), action: id, tool, operation, effect: entry.effect, decision: 'DENY', labels: [], recipients: [], parameters });
  }),
  mutant('sessions-share-context', 'All sessions have the first one’s context.', 'cli/conformance/reference/decide-in-world', 'decideInWorld', (original) => (world, session, about, again) => {
    const [first = session] = world.sessions.values();
    return original(world, { ...session, state: first.state }, about, again);
  }),
  mutant('agents-vouch-for-outputs', 'What an agent reports is as good as what others do.', 'cli/conformance/reference/supply', 'reportOutcome', (original) => (world, action, call) =>
    original(world, action, { ...call, by: 'enforcement_point' }),
  ),
  mutant('subjects-confused', 'A fact about one thing is one about another.', 'cli/conformance/reference/supply', 'supplyAttribute', (original) => (world, session, call) =>
    original(world, session, { ...call, subject: 'database:notes' }),
  ),
  mutant('anybody-supplies', 'Every source may say everything.', 'cli/conformance/reference/supply', 'supplyAttribute', (original) => (world, session, call) => original(world, session, { ...call, by: 'records' })),
  mutant('reasons-are-requests', 'What the agent says counts as the user’s words.', 'cli/conformance/reference/propose', 'propose', (original) => (world, call) => {
    const session = world.sessions.get(call.session);
    if (session && call.reason !== '') append(session, { kind: 'request', at: instant(world.now), text: call.reason, assurance: 'orchestrator' });
    return original(world, call);
  }),
];
