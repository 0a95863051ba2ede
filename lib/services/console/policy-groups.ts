import type { CompiledPolicy } from '@/lib/engine/policy';

/** Every group that the policy routes requests to: its default approvers, its rules', and those it escalates to. */
export function policyGroups({ approvals, rules }: Pick<CompiledPolicy, 'approvals' | 'rules'>): readonly string[] {
  const named = rules.flatMap(({ approval }) => [...(approval.approvers ?? []), ...(approval.escalate?.to ?? [])]);
  return [...new Set([...approvals.approvers, ...named])].sort();
}
