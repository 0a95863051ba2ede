import { basisDigest } from '@/lib/approvals/basis';
import type { HeldAction } from '@/lib/approvals/held-action';
import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { erasedText } from '@/lib/ports/erasure-store';
import type { ApprovalRow } from '@/lib/ports/approval-store';
import type { LogRow } from '@/lib/ports/ledger-reader';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { Proving } from '@/lib/services/proven-place';
import { provenReceipt } from '@/lib/services/proven-receipt';
import { fail, ok, type Fault, type Result } from '@/lib/shared/result';

/** What an approval row holds, once it is known to be what the signed receipt of the request states. */
export type HeldRequest = { readonly held: HeldAction; readonly requested: ReceiptPredicate<'approval_requested'> };

/** The row's held action, parsed, and consistent with the row's own digest. It says nothing yet about who wrote the row. */
export function readHeld(row: ApprovalRow, { sha256 }: Pick<Cryptography, 'sha256'>): Result<HeldAction> {
  if (row.held === erasedText) return fail('not_found', 'What was held was erased.');
  let value: unknown;
  try {
    value = JSON.parse(row.held);
  } catch (cause) {
    return altered(row, 'it is not JSON', cause);
  }
  const parsed = parseHeldAction(value);
  if (!parsed.ok) return altered(row, 'it cannot be read', parsed.error);
  if (parsed.value.approval !== row.id || parsed.value.action_id !== row.action || parsed.value.session !== row.session) {
    return altered(row, 'it belongs to another request');
  }
  if (basisDigest(parsed.value, sha256) !== row.basis_digest) return altered(row, 'its basis is not the stored one');
  return ok(parsed.value);
}

/**
 * The same, and proved: the receipt of the request, signed by a service key that the trust root lists at its position,
 * states this very basis. Without that, whoever can write rows could lower a quorum or swap the action before people vote.
 */
export async function proveHeld(
  row: ApprovalRow,
  receipts: readonly LogRow[],
  root: TrustRoot,
  cryptography: Proving,
): Promise<Result<HeldRequest>> {
  const held = readHeld(row, cryptography);
  if (!held.ok) return held;
  for (const receipt of receipts) {
    if (receipt.kind !== 'approval_requested') continue;
    const body = await provenReceipt(receipt, root, cryptography);
    if (!body.ok) return altered(row, body.error.detail, body.error);
    if (body.value.kind !== 'approval_requested' || body.value.predicate.approval !== row.id) continue;
    if (body.value.predicate.basis_digest !== row.basis_digest) return altered(row, 'its basis is not the one that its receipt states');
    return ok({ held: held.value, requested: body.value.predicate });
  }
  return altered(row, 'no receipt states it');
}

const altered = (row: ApprovalRow, how: string, cause?: unknown): { readonly ok: false; readonly error: Fault } =>
  fail('ledger_broken', `Request ${row.id} cannot be relied on: ${how}.`, {
    fix: 'Run "countersign fsck", and deny the request.',
    ...(cause === undefined ? {} : { cause }),
  });
