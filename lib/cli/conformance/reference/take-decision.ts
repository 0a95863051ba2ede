import type { Decision } from '@/lib/engine/decision';
import type { ErrorCode } from '@/lib/shared/error-codes';

import { issuePermit } from './issue-permit';
import { mayApprove } from './vote';
import type { Action, World } from './world';

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
