import { nextApprovalState } from '@/lib/approvals/approval-machine';
import type { ApprovalRow } from '@/lib/ports/approval-store';

import type { PlaneParts } from './plane-parts';
import { provenRequest } from './proven-request';

/**
 * Asks the backup groups of requests that nobody has decided in the time that their rule gives. Whom, and from when on, is read from what
 * the receipt of the request states, never from its row, and compared under the head lock: of two processes one escalates. While everything
 * is denied nobody else is asked either.
 */
export async function escalateRequests(parts: PlaneParts, limit: number): Promise<void> {
  const due = await parts.stores.approvals.toEscalate(limit);
  const faults: unknown[] = [];
  for (const approval of due) await escalate(parts, approval).catch((cause: unknown) => faults.push(cause));
  if (faults.length > 0) throw new AggregateError(faults, `${String(faults.length)} requests could not be escalated.`);
}

async function escalate(parts: PlaneParts, approval: ApprovalRow): Promise<void> {
  const { denied, root, epoch } = await parts.authority.current();
  if (denied !== null || !root) return;
  const request = await provenRequest(parts, root.root, approval);
  if (!request.ok) throw new Error(request.error.detail, { cause: request.error });
  const { held, requested, state } = request.value;
  const { backup, asked } = state;
  const now = parts.clock.now();
  const next = nextApprovalState(state, { kind: 'escalate', now });
  // Not yet, or no longer: its row says something else than its receipts, or somebody was faster.
  if (!next.ok || next.value.status !== 'pending' || backup === null) return;
  const columns = { session: held.session, action: held.action_id, agent: held.identity.agent, tool: held.action.tool, operation: held.action.operation };
  const receipt = await parts.sign('approval_escalated', now, { approval: approval.id, action: requested.action, approvers: [...backup.groups], by: { kind: 'service', id: 'plane' } }, columns);
  await parts.commits.submit({
    epoch,
    session: null,
    action: { id: approval.action, state: 'held' },
    pending: approval.id,
    receipts: [receipt],
    escalate: { id: approval.id, due: backup.at, from: asked, to: next.value.asked, at: now },
    events: [{ kind: 'approval_changed', id: approval.id }, { kind: 'action_changed', id: approval.action }],
  });
}
