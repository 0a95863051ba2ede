import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { ActionRow } from '@/lib/ports/action-store';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { InForce } from './in-force';
import type { PlaneParts } from './plane-parts';
import { provenReceipt } from './proven-receipt';

export type PermitTerms = NonNullable<ReceiptPredicate<'action_decided'>['permit']>;

/**
 * The terms of an action's permit as the plane signed them. The row finds the permit; what may run, until when and under
 * which obligations is what the signature covers. `ledger_broken` when the row says anything else.
 */
export async function provenPermit(parts: PlaneParts, { root }: InForce, row: ActionRow): Promise<Result<PermitTerms>> {
  const receipt = row.permit && (await parts.reader.byId(row.permit.receipt));
  if (!row.permit || !receipt || !root) return altered(row);
  const body = await provenReceipt(receipt, root.root, parts.cryptography, 'plane');
  if (!body.ok) return body;
  const { kind, predicate } = body.value;
  if (kind !== 'action_decided' && kind !== 'permit_issued') return altered(row);
  const { permit, action } = predicate;
  const same =
    permit?.id === row.permit.id &&
    action.id === row.id &&
    permit.action_digest === row.effective &&
    permit.expires_at === row.permit.expires_at &&
    permit.context_head === row.permit.head &&
    permit.epoch === Number(row.permit.epoch);
  return permit && same ? ok(permit) : altered(row);
}

const altered = (row: ActionRow): ReturnType<typeof fail> =>
  fail('ledger_broken', `The permit of action ${row.id} is not what its receipt states.`, { fix: 'Run "countersign fsck".' });
