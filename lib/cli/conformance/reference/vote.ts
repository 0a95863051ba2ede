import type { Decision } from '@/lib/engine/decision';
import type { ErrorCode } from '@/lib/shared/error-codes';

import type { Action, World } from './world';

/** Null: this person's approval counts. Whoever the agent acts for, and whoever registered it, approves nothing of it. */
export function mayApprove({ cast }: World, { session }: Action, { approval, impact }: Decision, email: string): ErrorCode | null {
  const groups = cast.people.find((person) => person.email === email)?.groups ?? [];
  if (approval?.approvers.some((group) => groups.includes(group)) !== true) return 'not_an_approver';
  const registrant = cast.agents.find(({ id }) => id === session.agent)?.registered_by;
  const involved = email === session.human || email === registrant;
  return involved && (approval.separation || impact === 'critical') ? 'separation_of_duties' : null;
}

/** Whether those who approved are enough: people count, and every group where all are asked. */
export function isMet({ cast }: World, { decision, approvals }: Action): boolean {
  const demand = decision.approval;
  if (!demand) return false;
  const groupsOf = (email: string): readonly string[] => cast.people.find((person) => person.email === email)?.groups ?? [];
  const missing = demand.all_groups ? demand.approvers.filter((group) => ![...approvals].some((email) => groupsOf(email).includes(group))) : [];
  return approvals.size >= demand.quorum && missing.length === 0;
}
