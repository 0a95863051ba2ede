import type { DeferralDemand } from '@/lib/engine/decision';
import type { DeferralRow } from '@/lib/ports/approval-store';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { ActionId, Digest, SessionId } from '@/lib/shared/ids';

import { later } from './later';
import type { PlaneParts } from './plane-parts';
import type { ReceiptColumns } from './sign-receipt';

/** The row of an action that waits for what is missing. */
export function deferralRow(parts: PlaneParts, action: ActionId, session: SessionId, demand: DeferralDemand, now: string): DeferralRow {
  return {
    id: parts.ids.make('deferral'),
    action,
    session,
    state: 'open',
    missing: canonicalJson(asJson(demand.missing)),
    waits_for: [],
    depth: 1,
    ask_at: null,
    created_at: now,
    expires_at: later(now, demand.timeout_s),
    resolved_at: null,
  };
}

/** The receipt by which a deferral enters the log. */
export const deferralReceipt = (
  parts: PlaneParts,
  deferral: DeferralRow,
  demand: DeferralDemand,
  asked: Digest,
  columns: ReceiptColumns,
): Promise<SignedReceipt> =>
  parts.sign(
    'deferral_opened',
    deferral.created_at,
    {
      deferral: deferral.id,
      session: deferral.session,
      action: { id: deferral.action, digest: asked },
      missing: demand.missing,
      conflict: demand.conflict,
      expires_at: deferral.expires_at,
    },
    columns,
  );
