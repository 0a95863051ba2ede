import { permitLabels } from '@/lib/context/permit-labels';
import type { Decision } from '@/lib/engine/decision';
import type { CanonicalAction } from '@/lib/mediate/action';
import { deriveFacts } from '@/lib/mediate/facts';
import type { ErrorCode } from '@/lib/shared/error-codes';

import { mayApprove } from './vote';
import { append, instant, type Action, type World } from './world';

/** What of an action runs when it is permitted: a′ where policy changed it. */
export function effectiveOf({ asked, decision }: Action): CanonicalAction {
  const parameters = decision.transformed?.parameters;
  return parameters === undefined ? asked : { ...asked, parameters, facts: deriveFacts(asked.entry, parameters) };
}

/** Puts the action where its decision says. Only ALLOW and MODIFY give a permit by themselves. */
export function takeDecision(world: World, action: Action, decision: Decision): void {
  const found = decision.decision === 'STEP_UP' && decision.approval && !isReachable(world, action, decision) ? closed(decision, 'no_approver') : decision;
  // The time that a deferral has does not start again when it is decided again.
  const since = action.state === 'deferred' ? action.waiting : null;
  action.decision = found;
  action.code = found.code;
  action.waiting = null;
  switch (found.decision) {
    case 'ALLOW':
    case 'MODIFY':
      issuePermit(world, action, false);
      return;
    case 'STEP_UP':
      action.state = 'held';
      action.waiting = { since: world.now, expiresAt: world.now + (found.approval?.timeout_s ?? 0) * 1000 };
      return;
    case 'DEFER':
      action.state = 'deferred';
      action.waiting = since ?? { since: world.now, expiresAt: world.now + (found.deferral?.timeout_s ?? 0) * 1000 };
      return;
    case 'DENY':
      action.state = 'denied';
      return;
  }
}

/** The action enters the session's context when its permit is issued, not when it runs. */
export function issuePermit(world: World, action: Action, voted: boolean): void {
  const { policy } = world;
  const effective = effectiveOf(action);
  const { facts } = effective;
  const [amount] = facts.amounts;
  append(action.session, {
    kind: 'permit', at: instant(world.now), action: action.id, tool: effective.tool, operation: effective.operation, effect: effective.entry.effect,
    decision: action.decision.decision,
    labels: permitLabels(effective, policy?.defaults.unclassified ?? 'RESTRICTED'),
    ...(facts.target === undefined ? {} : { target: facts.target }),
    recipients: facts.recipients,
    ...(amount === undefined ? {} : { amount }),
    parameters: effective.parameters,
  });
  const seconds = voted ? policy?.permits.after_approval_s : policy?.permits.ttl_s;
  action.permit = { expiresAt: world.now + (seconds ?? 0) * 1000, epoch: world.epoch, head: action.session.state.head, voted };
  action.state = 'permitted';
  action.waiting = null;
}

/** The same decision, closed: nothing of what it would have led to is left. */
export function closed(decision: Decision, code: ErrorCode): Decision {
  const { approval: _approval, deferral: _deferral, transformed: _transformed, ...rest } = decision;
  return { ...rest, decision: 'DENY', code };
}

/** Enough people who may approve, in every group where all are asked. */
function isReachable(world: World, action: Action, decision: Decision): boolean {
  const demand = decision.approval;
  if (!demand) return false;
  const able = world.cast.people.filter((person) => mayApprove(world, action, decision, person.email) === null);
  const covered = demand.approvers.filter((group) => able.some(({ groups }) => groups.includes(group)));
  return able.length >= demand.quorum && (!demand.all_groups || covered.length === demand.approvers.length);
}
