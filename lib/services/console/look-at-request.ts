import type { PendingApproval } from '@/lib/approvals/approval-state';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { ApprovalRow } from '@/lib/ports/approval-store';
import type { LockedHead } from '@/lib/ports/transaction';
import type { ApprovalId, PersonId, ReceiptId } from '@/lib/shared/ids';
import { err, fail, ok, type Fault, type Result } from '@/lib/shared/result';
import type { InForce } from '@/lib/services/in-force';

import { alreadyEdited, alreadyOver, judgesOf } from './approval-look';
import { voteReceipts } from './approval-receipts';
import type { ConsoleParts } from './console-parts';
import { proveHeld, type HeldRequest } from './held-request';
import { loggedResolution } from './logged-resolution';
import { receiptsOfAction } from './receipts-of-action';
import { requestState } from './request-state';
import { sessionLabels } from './session-labels';
import { sightOf } from './sight';

/** What was read before the lock. Under it the same is compared, and everything that a moved epoch could change is judged anew. */
export type RequestLook = {
  readonly inForce: InForce;
  readonly row: ApprovalRow;
  readonly request: HeldRequest;
  /** As the log proves it. */
  readonly state: PendingApproval;
  /** Of the votes that were cast, by who cast them. */
  readonly receipts: ReadonlyMap<PersonId, ReceiptId>;
  readonly labels: readonly string[];
};

/** Looks at most this often: each new look is caused by somebody else's commit, so it ends. */
export const looks = 5;

/** An open request, proved, for somebody who is about to change it. Failures: `not_found`, `already_resolved`, `edit_pending`, `ledger_broken`, why nothing may be decided. */
export async function lookAtRequest(parts: ConsoleParts, viewer: Viewer, id: ApprovalId, fresh: boolean): Promise<Result<RequestLook>> {
  const row = (await parts.reads.maySeeApproval(sightOf(viewer), id)) ? await parts.approvals.find(id) : undefined;
  if (!row) return fail('not_found', 'There is no such request, or it is not routed to you.');
  const inForce = await (fresh ? parts.inForce.refresh() : parts.inForce.current());
  if (row.state !== 'pending') return err(alreadyOver(row, inForce.roster?.roster ?? null));
  const judges = judgesOf(inForce, new Set());
  if (!judges.ok) return judges;
  const { root } = judges.value;
  const logged = await receiptsOfAction(parts.log, row.action);
  const request = await proveHeld(row, logged, root, parts.cryptography);
  if (!request.ok) return request;
  const resolution = await loggedResolution(row, logged, root, parts.cryptography);
  if (!resolution.ok) return resolution;
  if (inForce.ended?.has(row.id) === true) return err(await overInLog(parts, row, 'by a person', inForce));
  if (resolution.value !== null) return err(await overInLog(parts, row, resolution.value.state, inForce));
  const state = await requestState({ ...parts, rosters: parts.authority }, request.value, logged, root);
  if (!state.ok) return state;
  if (state.value.edited) return err(alreadyEdited(state.value.edited, inForce.roster?.roster ?? null));
  return ok({
    inForce,
    row,
    request: request.value,
    state: state.value,
    receipts: voteReceipts(logged, row.id, parts.cryptography.sha256),
    labels: await sessionLabels(parts.sessions, row.session),
  });
}

/** Whether anything that the look rests on is another under the lock. */
export const movedSince = (look: RequestLook, row: ApprovalRow, head: LockedHead): boolean =>
  head.epoch !== look.inForce.epoch || row.held !== look.row.held || row.basis_digest !== look.row.basis_digest ||
  row.expires_at !== look.row.expires_at || row.edit !== look.row.edit || row.approvers.join('\n') !== look.row.approvers.join('\n');

/** It ended between two reads, or somebody set its row back: what ended once is never decided again. */
async function overInLog(parts: ConsoleParts, { id }: ApprovalRow, state: string, { roster }: InForce): Promise<Fault> {
  const row = await parts.approvals.find(id);
  if (row && row.state !== 'pending') return alreadyOver(row, roster?.roster ?? null);
  return { code: 'ledger_broken', detail: `Request ${id} says that it is open; the log says that it ended ${state}.`, fix: 'Run "countersign fsck".' };
}
