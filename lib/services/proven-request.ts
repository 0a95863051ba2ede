import type { PendingApproval } from '@/lib/approvals/approval-state';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { ApprovalRow } from '@/lib/ports/approval-store';
import { ok, type Result } from '@/lib/shared/result';

import { proveHeld, type HeldRequest } from './console/held-request';
import { receiptsOfAction } from './console/receipts-of-action';
import { requestState } from './console/request-state';
import type { PlaneParts } from './plane-parts';

/** What a request was asked with, and how it stands now, as the log proves both: its row gives it no time and takes no edit away. `ledger_broken` when it does not. */
export async function provenRequest(parts: PlaneParts, root: TrustRoot, approval: ApprovalRow): Promise<Result<HeldRequest & { readonly state: PendingApproval }>> {
  const receipts = await receiptsOfAction(parts.reader, approval.action);
  const request = await proveHeld(approval, receipts, root, parts.cryptography);
  if (!request.ok) return request;
  const state = await requestState({ ...parts, log: parts.reader, rosters: parts.proposing.authority }, request.value, receipts, root);
  return state.ok ? ok({ ...request.value, state: state.value }) : state;
}
