import type { Impact } from '@/lib/mediate/catalogue';

import type { ApprovalDemand } from './decision';
import type { PolicySettings } from './policy';
import type { RuleApproval } from './rule';

/** What a rule asks people for, completed from the policy. Critical impact always needs two of them. */
export function demandOf(approval: RuleApproval | null, policy: PolicySettings, impact: Impact): ApprovalDemand {
  const quorum = approval?.quorum ?? policy.approvals.quorum;
  return {
    approvers: [...new Set(approval?.approvers ?? policy.approvals.approvers)].sort(),
    all_groups: approval?.all_groups ?? false,
    quorum: impact === 'critical' ? Math.max(2, quorum) : quorum,
    timeout_s: approval?.timeout_s ?? policy.approvals.timeout_s,
    separation: policy.approvals.separation,
    ...(approval?.escalate ? { escalate: { to: [...new Set(approval.escalate.to)].sort(), after_s: approval.escalate.after_s } } : {}),
  };
}

/** STEP_UPs join: all groups, the highest quorum, the shortest time; a backup group only where each of them names the same. */
export function joinDemands(demands: readonly ApprovalDemand[]): ApprovalDemand | null {
  const [first, ...rest] = demands;
  return first ? rest.reduce(joinTwo, first) : null;
}

function joinTwo(a: ApprovalDemand, b: ApprovalDemand): ApprovalDemand {
  const same = a.approvers.length === b.approvers.length && a.approvers.every((group, i) => group === b.approvers[i]);
  return {
    approvers: same ? a.approvers : [...new Set([...a.approvers, ...b.approvers])].sort(),
    all_groups: a.all_groups || b.all_groups || !same,
    quorum: Math.max(a.quorum, b.quorum),
    timeout_s: Math.min(a.timeout_s, b.timeout_s),
    separation: a.separation || b.separation,
    // Who may decide in the end must be somebody whom every rule would have let decide.
    ...(same && a.escalate && b.escalate && isSameEscalation(a.escalate, b.escalate) ? { escalate: a.escalate } : {}),
  };
}

const isSameEscalation = (a: NonNullable<ApprovalDemand['escalate']>, b: NonNullable<ApprovalDemand['escalate']>): boolean =>
  a.after_s === b.after_s && a.to.length === b.to.length && a.to.every((group, i) => group === b.to[i]);
