import { endOf } from '@/lib/cli/conformance/reference/end-of';
import { issuePermit } from '@/lib/cli/conformance/reference/issue-permit';
import { openSession } from '@/lib/cli/conformance/reference/supply';
import { viewOf } from '@/lib/cli/conformance/reference/view-of';
import type { Session, World } from '@/lib/cli/conformance/reference/world';
import type { Identity } from '@/lib/context/snapshot';

import { mutant, type Mutant } from './mutants-of-modules';

const identifies = (id: string, says: string, change: (identity: Identity) => Identity): Mutant =>
  mutant(id, says, 'cli/conformance/reference/identity-of', 'identityOf', (original) => (world, session) => change(original(world, session)));

export const lifeCycleMutants: readonly Mutant[] = [
  mutant('permit-not-needed', 'Everything that was proposed can be executed.', 'cli/conformance/reference/permit-refusal', 'permitRefusal', () => () => null),
  mutant('permit-used-again', 'A permit can be used more than once.', 'cli/conformance/reference/permit-refusal', 'permitRefusal', (original) => (world, action) => {
    const refusal = original(world, action);
    return refusal === 'permit_used' ? null : refusal;
  }),
  mutant('permit-never-expires', 'A permit is good for ever.', 'cli/conformance/reference/end-of', 'endOf', (original) => (world, action) => {
    const end = original(world, action);
    return end === 'permit_expired' ? null : end;
  }),
  mutant('waiting-never-ends', 'What waits goes on waiting.', 'cli/conformance/reference/end-of', 'endOf', (original) => (world, action) => {
    const end = original(world, action);
    return end === 'approval_expired' || end === 'deferral_expired' ? null : end;
  }),
  mutant('time-allows', 'What nobody decided in time is permitted.', 'cli/conformance/reference/keep-time', 'keepTime', (original) => (world) => {
    for (const action of world.actions.values()) if (action.waiting && endOf(world, action) !== null) issuePermit(world, action, true);
    original(world);
  }),
  mutant('permit-survives-change', 'A permit holds whatever happened since.', 'cli/conformance/reference/still-covered', 'hasMoved', () => () => false),
  mutant('every-change-voids', 'Any change voids a permit.', 'cli/conformance/reference/still-covered', 'isOwnResult', () => () => false),
  mutant('runs-what-was-asked', 'What runs is the action as it was proposed.', 'cli/conformance/reference/effective-of', 'effectiveOf', () => ({ asked }) => asked),
  mutant('sessions-never-expire', 'A session lasts for ever.', 'cli/conformance/reference/world', 'stateOf', (original) => (world, session) => {
    const state = original(world, session);
    return state === 'expired' ? 'open' : state;
  }),
  mutant('sessions-never-close', 'Closing a session changes nothing.', 'cli/conformance/reference/supply', 'closeSession', () => () => ({ state: 'closed' })),
  mutant('sessions-need-no-opening', 'A session is opened by being named.', 'cli/conformance/reference/propose', 'propose', (original) => (world, call) => {
    if (world.sessions.has(call.session)) return original(world, call);
    const { session } = openSession(world, { call: 'open_session', human: 'ada@harbor.example', agent: call.agent, request: 'Anything.', parent: null });
    return original(world, { ...call, session: session ?? call.session });
  }),
  mutant('sessions-are-shared', 'Any agent proposes in any session.', 'cli/conformance/reference/propose', 'propose', (original) => (world, call) =>
    original(world, { ...call, agent: world.sessions.get(call.session)?.agent ?? call.agent }),
  ),
  mutant('strangers-have-sessions', 'An agent that nobody registered has a session.', 'cli/conformance/reference/supply', 'openSession', (original) => (world, call) =>
    original(world, { ...call, agent: world.cast.agents.some(({ id }) => id === call.agent) ? call.agent : 'clerk' }),
  ),
  mutant('children-start-clean', 'A session that another one opens has seen nothing.', 'cli/conformance/reference/supply', 'openSession', (original) => (world, call) => original(world, { ...call, parent: null })),
  mutant('children-for-anybody', 'A session is handed on to other people.', 'cli/conformance/reference/supply', 'openSession', (original) => (world, call) =>
    original(world, { ...call, human: call.parent === null ? call.human : (world.sessions.get(call.parent)?.human ?? call.human) }),
  ),
  mutant('children-outlive-their-parents', 'What a session handed on goes on without it.', 'cli/conformance/reference/supply', 'closeSession', (original) => (world, session) =>
    original({ ...world, sessions: new Map([[session.id, session]]) }, session),
  ),
  mutant('reports-need-no-run', 'An outcome is taken of what did not run.', 'cli/conformance/reference/supply', 'reportOutcome', (original) => (world, action, call) => {
    if (action.state === 'permitted') action.state = 'redeemed';
    return original(world, action, call);
  }),
  mutant('reports-are-replaced', 'A later outcome takes the place of the first.', 'cli/conformance/reference/supply', 'reportOutcome', (original) => (world, action, call) => {
    if (action.state === 'failed') action.state = 'redeemed';
    return original(world, action, call);
  }),
  mutant('withdrawals-not-final', 'What was taken back goes on.', 'cli/conformance/reference/supply', 'withdraw', () => (_world, action) => viewOf(action)),

  mutant('votes-change-nothing', 'Votes are not counted.', 'cli/conformance/reference/supply', 'castVote', () => (_world, action) => viewOf(action)),
  mutant('denials-not-final', 'A denial leaves the request open.', 'cli/conformance/reference/supply', 'castVote', (original) => (world, action, call) =>
    call.verdict === 'deny' ? viewOf(action) : original(world, action, call),
  ),
  mutant('approvers-become-actors', 'An approved action is the approver’s.', 'cli/conformance/reference/supply', 'castVote', (original) => (world, action, call) => {
    const reply = original(world, action, call);
    action.identity = { ...action.identity, human: call.by };
    return reply;
  }),
  mutant('anybody-approves', 'Everybody’s approval counts.', 'cli/conformance/reference/vote', 'mayApprove', () => () => null),
  mutant('own-requests-approved', 'Who asked may approve.', 'cli/conformance/reference/vote', 'mayApprove', (original) => (world, action, decision, email) => {
    const barred = original(world, action, decision, email);
    return barred === 'separation_of_duties' ? null : barred;
  }),
  mutant('one-vote-suffices', 'One approval is enough.', 'cli/conformance/reference/vote', 'isMet', () => (_world, { approvals }) => approvals.size > 0),
  mutant('groups-not-all-asked', 'Where all groups are asked any will do.', 'cli/conformance/reference/vote', 'isMet', () => (_world, { approvals, decision }) => approvals.size >= (decision.approval?.quorum ?? 1)),
  mutant('denials-forgotten', 'What a person denied can be asked again.', 'cli/conformance/reference/waiting', 'isRepeated', () => () => false),
  mutant('waiting-is-unbounded', 'Any number may wait.', 'cli/conformance/reference/waiting', 'isTooMuch', () => () => false),

  mutant('dependencies-ignored', 'What an action depends on does not matter.', 'cli/conformance/reference/waiting', 'placeAmong', (original) => (world, session, action) => original(world, session, action, [])),
  mutant('dead-dependencies-ignored', 'What came to nothing holds nobody back.', 'cli/conformance/reference/waiting', 'placeAmong', (original) => (world, session, action, dependsOn) => ({
    ...original(world, session, action, dependsOn), denied: null,
  })),
  mutant('chains-are-unbounded', 'Any number may wait in a row.', 'cli/conformance/reference/waiting', 'placeAmong', (original) => (world, session, action, dependsOn) =>
    original({ ...world, policy: world.policy && { ...world.policy, deferrals: { ...world.policy.deferrals, depth: 1000 } } }, session, action, dependsOn),
  ),
  mutant('targets-unordered', 'Actions on one target overtake each other.', 'cli/conformance/reference/waiting', 'placeAmong', (original) => (world, session, action, dependsOn) => {
    const { target: _target, ...facts } = action.facts;
    return original(world, session, { ...action, facts: { ...facts, tables: [], paths: [] } }, dependsOn);
  }),
  mutant('dependents-forgotten', 'Nobody looks at what waited for an action that ended.', 'cli/conformance/reference/settle-dependents', 'settleDependents', () => () => undefined),
  mutant('deferred-actions-forgotten', 'Nobody looks at what waited for a fact that came.', 'cli/conformance/reference/settle-dependents', 'decideDeferred', () => () => undefined),
  mutant('deferrals-start-again', 'A deferral that is decided again begins its time anew.', 'cli/conformance/reference/take-decision', 'takeDecision', (original) => (world, action, decision) => {
    action.waiting = null;
    original(world, action, decision);
  }),
  mutant('deferrals-keep-their-policy', 'A deferred action is decided with the policy of when it was proposed.', 'cli/conformance/reference/decide-in-world', 'decideInWorld', (original) => {
    const policies = new WeakMap<Session, { readonly policy: World['policy'] }>();
    return (world, session, about, again) => {
      const first = policies.get(session) ?? { policy: world.policy };
      policies.set(session, first);
      return original({ ...world, policy: first.policy }, session, about, again);
    };
  }),

  identifies('identity-without-role', 'Roles and scopes are not looked up.', (identity) => ({ ...identity, role: 'any', scope: [] })),
  identifies('delegation-lost', 'Who handed an action on is forgotten.', (identity) => ({ ...identity, delegation: [] })),
  identifies('humans-confused', 'The agent counts as the person.', (identity) => ({ ...identity, human: identity.agent })),
  identifies('agents-confused', 'All agents are one.', (identity) => ({ ...identity, agent: 'clerk' })),
  mutant('identity-lost-in-deferral', 'What waited is nobody’s any more.', 'cli/conformance/reference/settle-dependents', 'decideDeferred', (original) => (world, session) => {
    original(world, session);
    for (const action of world.actions.values()) if (action.session === session) action.identity = { ...action.identity, human: 'nobody' };
  }),
  mutant('reasons-are-identities', 'An agent is whom it says it is.', 'cli/conformance/reference/propose', 'propose', (original) => (world, call) => {
    const [, role] = /role: ([a-z]+)/.exec(call.reason) ?? [];
    const agents = world.cast.agents.map((agent) => (role === undefined ? agent : { ...agent, role }));
    return original({ ...world, cast: { ...world.cast, agents } }, call);
  }),
];
