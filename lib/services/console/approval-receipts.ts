import { readStatement } from '@/lib/ledger/statement';
import type { LogRow } from '@/lib/ports/ledger-reader';
import { parseEnvelope } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import type { ApprovalId, PersonId, ReceiptId } from '@/lib/shared/ids';

/** Receipts of the votes on a request, in log order, by who cast them. */
export function voteReceipts(receipts: readonly LogRow[], approval: ApprovalId, sha256: Sha256): ReadonlyMap<PersonId, ReceiptId> {
  const found = new Map<PersonId, ReceiptId>();
  for (const receipt of receipts) {
    if (receipt.kind !== 'approval_voted') continue;
    const envelope = parseEnvelope(receipt.envelope);
    const body = envelope.ok ? readStatement(sha256, envelope.value) : envelope;
    if (body.ok && body.value.kind === 'approval_voted' && body.value.predicate.approval === approval) found.set(body.value.predicate.person, receipt.id);
  }
  return found;
}
