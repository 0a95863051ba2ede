import { childState, emptyState, type Lineage } from '@/lib/context/session-state';
import { guardOutput } from '@/lib/guards/guard-output';
import { isJsonObject } from '@/lib/shared/json';

import type { Call, Reply } from '../call';
import { decideInWorld } from './decide-in-world';
import { issuePermit } from './issue-permit';
import { decideDeferred, settleDependents } from './settle-dependents';
import { takeDecision } from './take-decision';
import { viewOf } from './view-of';
import { isMet, mayApprove } from './vote';
import { isWaiting } from './waiting';
import { append, instant, newId, stateOf, type Action, type Session, type World } from './world';

type Supply = Extract<Call, { call: 'supply' }>;
type Of<Does extends Supply['do']> = Extract<Supply, { do: Does }>;

export function openSession(world: World, { human, agent, request, parent: under }: Extract<Call, { call: 'open_session' }>): Reply {
  if (!world.cast.agents.some(({ id }) => id === agent) || world.suspended.has(agent)) return { refused: 'not_found' };
  const parent = under === null ? null : world.sessions.get(under);
  if (parent === undefined) return { refused: 'not_found' };
  if (parent && stateOf(world, parent) !== 'open') return { refused: 'session_closed' };
  if (parent && parent.human !== human) return { refused: 'forbidden' };
  const id = newId(world, 'session');
  const at = instant(world.now);
  const inherited = parent && handOn(parent, id, at);
  const session: Session = {
    id, human, agent, parent, openedAt: world.now, lastAt: world.now, open: true, chain: [], findings: [], answers: [],
    state: parent && inherited ? childState(parent.state, id, inherited) : emptyState(id),
  };
  if (inherited) append(session, { kind: 'inherited', at, ...inherited });
  append(session, { kind: 'request', at, text: request, assurance: 'orchestrator' });
  world.sessions.set(id, session);
  return { session: id, state: 'open' };
}

/** Says in the parent's chain that a child begins there, and what that one goes on from. */
function handOn(parent: Session, child: Session['id'], at: string): Lineage {
  append(parent, { kind: 'delegation', at, child, event: 'opened' });
  const told = parent.chain.at(-1);
  if (!told) throw new Error('What was just written is there.');
  const above = parent.state.lineage;
  return {
    parent: parent.id, parent_head: told.hash, parent_seq: told.seq, began_at: above?.began_at ?? instant(parent.openedAt),
    delegation: [{ session: parent.id, agent: parent.agent, family_n: parent.state.familyN }, ...(above?.delegation ?? [])],
  };
}

/** Only the orchestrator records the user's words. */
export function recordMessage(world: World, session: Session, { text }: Of<'message'>): Reply {
  if (stateOf(world, session) !== 'open') return { refused: 'session_closed' };
  append(session, { kind: 'request', at: instant(world.now), text, assurance: 'orchestrator' });
  decideDeferred(world, session);
  return { state: 'open' };
}

/** Stored whoever says it; rules see it only from the sources that the policy lists. */
export function supplyAttribute(world: World, session: Session, { by, subject, name, value }: Of<'attribute'>): Reply {
  const source = world.cast.information_points.find(({ id }) => id === by);
  if (source?.attributes.includes(name) !== true) return { refused: 'forbidden' };
  if (stateOf(world, session) !== 'open') return { refused: 'session_closed' };
  const unavailable = isJsonObject(value) && value.unavailable === true && Object.keys(value).length === 1;
  const at = instant(world.now);
  append(session, { kind: 'attribute', at, subject, name, value: unavailable ? null : value, unavailable, source: `ip:${by}`, observed_at: at });
  decideDeferred(world, session);
  return { state: 'open' };
}

export function reportOutcome(world: World, action: Action, { by, status, output }: Extract<Call, { call: 'act'; do: 'report' }>): Reply {
  if (action.state === 'succeeded' || action.state === 'failed' || action.state === 'unknown') return { refused: 'outcome_already_reported' };
  if (action.state !== 'redeemed') return { refused: 'outcome_before_redeem' };
  const { labels, injectionScore } = guardOutput(output);
  append(action.session, {
    kind: 'outcome', at: instant(world.now), action: action.id, status, reporter: by, trusted: by === 'enforcement_point' && action.asked.entry.trusted,
    output, labels, injection: injectionScore,
  });
  action.state = status;
  settleDependents(world, action);
  return viewOf(action);
}

/** A vote counts for what the action would be held for now; what changed meanwhile is decided again first. */
export function castVote(world: World, action: Action, { by, verdict }: Of<'vote'>): Reply {
  if (action.state !== 'held' || !action.waiting) return { refused: action.state === 'expired' ? 'approval_expired' : 'already_resolved' };
  if (action.waiting.expiresAt <= world.now) return { refused: 'approval_expired' };
  if (verdict === 'deny') {
    if (mayApprove(world, action, action.decision, by) === 'not_an_approver') return { refused: 'not_an_approver' };
    Object.assign(action, { state: 'denied', code: 'approval_denied', deniedAt: action.session.chain.length, waiting: null });
    settleDependents(world, action);
    return viewOf(action);
  }
  const barred = mayApprove(world, action, action.decision, by);
  if (barred !== null) return { refused: barred };
  const { decision, identity } = decideInWorld(world, action.session, action);
  if (decision.decision !== 'STEP_UP') {
    action.identity = identity;
    takeDecision(world, action, decision);
    settleDependents(world, action);
    return { refused: 'approval_stale' };
  }
  action.approvals.add(by);
  if (isMet(world, action)) {
    issuePermit(world, action, true);
    settleDependents(world, action);
  }
  return viewOf(action);
}

/** What it handed on ends with it. */
export function closeSession(world: World, session: Session): Reply {
  session.open = false;
  for (const action of world.actions.values()) {
    if (action.session !== session || !['held', 'deferred', 'permitted'].includes(action.state)) continue;
    Object.assign(action, { state: 'withdrawn', code: 'session_ended' });
  }
  for (const child of world.sessions.values()) if (child.parent === session && child.open) closeSession(world, child);
  return { state: 'closed' };
}

/** The agent takes back what has not run yet. */
export function withdraw(world: World, action: Action): Reply {
  if (!isWaiting(action) && action.state !== 'permitted') return { refused: 'conflict' };
  Object.assign(action, { state: 'withdrawn', code: 'action_withdrawn' });
  settleDependents(world, action);
  return viewOf(action);
}
