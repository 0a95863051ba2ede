import type { Paired } from '@/lib/contracts/console/receipts';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import type { ActionReceipt } from '@/lib/ports/console-reads';
import { parseEnvelope } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import type { ActionId } from '@/lib/shared/ids';

/**
 * For each action what its receipts, given in log order, say of approval and outcome so far. What is shown here is where to
 * look; the verdict on a receipt is the browser's own.
 */
export function pairings(receipts: readonly ActionReceipt[], sha256: Sha256): ReadonlyMap<ActionId, Paired> {
  const found = new Map<ActionId, Paired>();
  for (const receipt of receipts) {
    const before = found.get(receipt.action) ?? { approval: 'not_needed', outcome: 'waiting' };
    found.set(receipt.action, { ...before, ...told(receipt, sha256) });
  }
  return found;
}

function told({ kind, decision, envelope }: ActionReceipt, sha256: Sha256): Partial<Paired> {
  switch (kind) {
    case 'action_decided':
      return { outcome: decision === 'DENY' ? 'not_run' : 'waiting' };
    case 'approval_requested':
      return { approval: 'waiting' };
    case 'approval_resolved':
      return ended(envelope === null ? null : stateOf(envelope, sha256));
    case 'action_withdrawn':
      return { outcome: 'not_run' };
    case 'outcome_reported':
      return { outcome: 'recorded' };
    default:
      return {};
  }
}

/** A request that another one replaced, or that is decided anew, says nothing of what happens to the action. */
function ended(state: ReceiptPredicate<'approval_resolved'>['state'] | null): Partial<Paired> {
  if (state === 'approved') return { approval: 'signed' };
  if (state === 'denied') return { approval: 'refused', outcome: 'not_run' };
  if (state === 'expired' || state === 'withdrawn') return { approval: 'lapsed', outcome: 'not_run' };
  return { approval: 'lapsed' };
}

function stateOf(text: string, sha256: Sha256): ReceiptPredicate<'approval_resolved'>['state'] | null {
  const envelope = parseEnvelope(text);
  const body = envelope.ok ? readStatement(sha256, envelope.value) : envelope;
  return body.ok && body.value.kind === 'approval_resolved' ? body.value.predicate.state : null;
}
