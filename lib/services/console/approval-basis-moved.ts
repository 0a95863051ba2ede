import { gainedLabels } from '@/lib/context/label-ledger';
import type { HeldAction } from '@/lib/approvals/held-action';
import type { InForce } from '@/lib/services/in-force';

/**
 * What of a request's basis no longer holds; null while it does. A vote on something that has moved is refused: the
 * action has to be decided again first.
 */
export function basisMoved(held: HeldAction, inForce: Pick<InForce, 'policy' | 'agents'>, labelsNow: readonly string[] | null): string | null {
  if (held.policy.digest !== inForce.policy?.digest) {
    return `It was held under policy revision ${held.policy.revision}; revision ${inForce.policy?.revision ?? 'none'} is in force now.`;
  }
  const agent = inForce.agents.get(held.identity.agent);
  if (!agent || agent.suspended_at !== null) return `Agent ${held.identity.agent} is suspended or no longer registered.`;
  if (agent.role !== held.identity.role) return `Agent ${held.identity.agent} has another role now.`;
  const gained = gainedLabels(held.labels, labelsNow ?? held.labels);
  return gained.length > 0 ? `The session has read ${gained.join(', ')} since it was held.` : null;
}
