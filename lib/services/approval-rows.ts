import { basisOf } from '@/lib/approvals/basis';
import type { HeldAction } from '@/lib/approvals/held-action';
import { neededQuorum } from '@/lib/approvals/needed-quorum';
import type { ApprovalRow } from '@/lib/ports/approval-store';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { ApprovalId, Digest } from '@/lib/shared/ids';

import type { PlaneParts } from './plane-parts';
import type { ReceiptColumns } from './sign-receipt';

/**
 * The row of a new approval request, with the exact text that votes will cover. `looked`: the epoch and head that it was decided at;
 * `escalatesAt`: from when on its backup groups are asked.
 */
export function approvalRow(parts: Pick<PlaneParts, 'sha256'>, held: HeldAction, now: string, looked: { readonly epoch: bigint; readonly head: Digest }, escalatesAt: string | null): ApprovalRow {
  const basis = canonicalJson(basisOf(held));
  return {
    id: held.approval,
    action: held.action_id,
    session: held.session,
    state: 'pending',
    impact: held.impact,
    approvers: held.approvers.groups,
    all_groups: held.approvers.all_groups,
    quorum: neededQuorum(held),
    separation: held.approvers.separation,
    basis,
    basis_digest: digestOf(parts.sha256, utf8(basis)),
    held: canonicalJson(asJson(held)),
    created_at: now,
    expires_at: held.expires_at,
    resolved_at: null,
    resolved_by: null,
    resolution: null,
    looked_epoch: looked.epoch,
    looked_head: looked.head,
    escalates_at: escalatesAt,
    edit: null,
  };
}

export const approvalTerms = ({ id, basis_digest, expires_at, quorum }: ApprovalRow) => ({ id, basis_digest, expires_at, quorum });

/** The receipt by which a request for approval enters the log. */
export function requestReceipt(
  parts: PlaneParts,
  approval: ApprovalRow,
  held: HeldAction,
  digests: { readonly asked: Digest; readonly effective: Digest; readonly held: Digest },
  columns: ReceiptColumns,
  supersedes?: ApprovalId,
): Promise<SignedReceipt> {
  const excluded = [held.identity.human_person, held.identity.registered_by].filter((person) => person !== null);
  return parts.sign(
    'approval_requested',
    approval.created_at,
    {
      approval: approval.id,
      session: approval.session,
      action: { id: approval.action, digest: digests.asked },
      ...(digests.effective === digests.asked ? {} : { transformed_digest: digests.effective }),
      basis_digest: approval.basis_digest,
      held_digest: digests.held,
      approvers: approval.approvers,
      quorum: approval.quorum,
      separation: approval.separation,
      excluded: [...new Set(excluded)],
      expires_at: approval.expires_at,
      ...(supersedes ? { supersedes } : {}),
    },
    columns,
  );
}
