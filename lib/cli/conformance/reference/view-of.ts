import type { Reply } from '../call';
import type { Action } from './world';

/** The action as it stands, in the words of the protocol. */
export function viewOf({ id, decision, state, code, identity, approvals, executions }: Action): Reply {
  const { delegation, scope, ...who } = identity;
  return {
    action: id,
    decision: decision.decision,
    state,
    code,
    classification: decision.classification,
    executions,
    identity: { ...who, scope: [...scope], ...(delegation.length > 0 ? { delegation: [...delegation] } : {}) },
    ...(decision.transformed ? { transformed: { ...decision.transformed.parameters } } : {}),
    ...(state === 'held' && decision.approval
      ? { approvers: [...decision.approval.approvers], quorum: { needed: decision.approval.quorum, given: approvals.size } }
      : {}),
    ...(state === 'deferred' && decision.deferral
      ? {
          missing: decision.deferral.missing.map(({ field }) => field),
          suppliers: [...new Set(decision.deferral.missing.flatMap(({ suppliers }) => suppliers))],
        }
      : {}),
  };
}
