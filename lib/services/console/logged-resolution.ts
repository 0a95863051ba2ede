import type { TrustRoot } from '@/lib/authority/trust-root';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { ApprovalRow } from '@/lib/ports/approval-store';
import type { LogRow } from '@/lib/ports/ledger-reader';
import type { Proving } from '@/lib/services/proven-place';
import { provenReceipt } from '@/lib/services/proven-receipt';
import { ok, type Result } from '@/lib/shared/result';

/**
 * How a request ended, as the log says; null while it has not. `receipts` are those of its action, oldest first: the
 * first end is the end, whatever its row says later. `ledger_broken` when a receipt of that kind is not a service's.
 */
export async function loggedResolution(
  { id }: Pick<ApprovalRow, 'id'>,
  receipts: readonly LogRow[],
  root: TrustRoot,
  cryptography: Proving,
): Promise<Result<ReceiptPredicate<'approval_resolved'> | null>> {
  for (const receipt of receipts) {
    if (receipt.kind !== 'approval_resolved') continue;
    const body = await provenReceipt(receipt, root, cryptography);
    if (!body.ok) return body;
    if (body.value.kind === 'approval_resolved' && body.value.predicate.approval === id) return ok(body.value.predicate);
  }
  return ok(null);
}
