import type { Snapshot } from '@/lib/context/snapshot';
import type { ApprovalDemand, Decision } from '@/lib/engine/decision';
import { decide } from '@/lib/engine/decide';
import type { CompiledPolicy } from '@/lib/engine/policy';
import type { CanonicalAction } from '@/lib/mediate/action';

import type { Decided, DemandCompared } from './comparison';

/** What becomes of an action under a policy; null for one that its mediator refuses, or whose policy there is not: that is denied. */
export const decideUnder = (policy: CompiledPolicy | null, action: CanonicalAction | null, snapshot: Snapshot, now: string): Decided =>
  policy && action ? decidedOf(decide(action, snapshot, policy, now)) : denied;

const denied: Decided = { decision: 'DENY', obligations: [], grant: false };

/** Words, codes, signals and the trace are left out: they say why, not what happens. */
export function decidedOf({ decision, transformed, approval, deferral, obligations, grants }: Decision): Decided {
  return {
    decision,
    ...(transformed ? { parameters: transformed.parameters } : {}),
    ...(approval ? { approval: demandOf(approval) } : {}),
    ...(deferral
      ? {
          deferral: {
            missing: deferral.missing.map(({ field, subject, suppliers }) => ({ field, ...(subject === undefined ? {} : { subject }), suppliers: [...suppliers].sort() })),
            timeout_s: deferral.timeout_s,
            conflict: deferral.conflict.length > 0,
            ...(deferral.escalate ? { escalate: demandOf(deferral.escalate) } : {}),
            ...(deferral.at_timeout ? { at_timeout: demandOf(deferral.at_timeout) } : {}),
          },
        }
      : {}),
    obligations: obligations.map(({ kind, value }) => ({ kind, value })),
    grant: grants.length > 0,
  };
}

const demandOf = ({ approvers, all_groups, quorum, timeout_s, separation, escalate }: ApprovalDemand): DemandCompared => ({
  approvers, all_groups, quorum, timeout_s, separation, ...(escalate ? { escalate: { to: escalate.to, after_s: escalate.after_s } } : {}),
});
