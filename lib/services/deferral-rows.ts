import type { DeferralDemand, MissingField } from '@/lib/engine/decision';
import type { ActionRow } from '@/lib/ports/action-store';
import type { ApprovalRow, DeferralRow } from '@/lib/ports/approval-store';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { asJson } from '@/lib/shared/as-json';
import { bounds } from '@/lib/shared/bounds';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { ActionId, Digest, ReceiptId, SessionId } from '@/lib/shared/ids';

import { askableFields, storedMissing } from './askable-fields';
import { later } from './later';
import { questionField } from './open-question';
import type { PlaneParts } from './plane-parts';
import type { ReceiptColumns } from './sign-receipt';
import { orderField, type InTheWay } from './waiting-order';

type Deferred = {
  readonly action: ActionId;
  readonly session: SessionId;
  readonly demand: DeferralDemand;
  readonly inTheWay: InTheWay;
  readonly now: string;
  readonly proposedAt: string;
  /** The request to the people who decide, when it waits for them. */
  readonly approval: ApprovalRow | undefined;
};

/**
 * The row of an action that waits for what is missing. Behind other actions its own time begins when theirs has ended at the
 * latest; nothing waits beyond a day after it was proposed.
 */
export function deferralRow(parts: Pick<PlaneParts, 'ids' | 'information'>, { action, session, demand, inTheWay, now, proposedAt, approval }: Deferred): DeferralRow {
  const start = inTheWay.until !== null && inTheWay.until > now ? inTheWay.until : now;
  return {
    id: parts.ids.make('deferral'),
    action,
    session,
    state: 'open',
    ...waitsOf(demand, inTheWay, null),
    depth: inTheWay.depth,
    ask_at: canAsk(parts, demand) && !approval ? now : null,
    created_at: now,
    expires_at: approval?.expires_at ?? withinLife(proposedAt, later(start, demand.timeout_s)),
    resolved_at: null,
    question: null,
  };
}

/** What of a deferral changes when it is decided again and stays. `question`: the answer that a person still waits for. */
export const waitsOf = (demand: DeferralDemand, { waits }: Pick<InTheWay, 'waits'>, question: MissingField | null): Pick<DeferralRow, 'missing' | 'waits_for'> => ({
  missing: canonicalJson(asJson(missingFacts(demand, question))),
  waits_for: waits,
});

/** Whether anybody can be asked for what is missing. */
export const canAsk = ({ information }: Pick<PlaneParts, 'information'>, demand: DeferralDemand): boolean => askableFields(demand.missing, information).length > 0;

/** The fields that somebody could supply. That an earlier action has to end first, or that a question is open, is no such field; its answer is. */
const missingFacts = ({ missing }: DeferralDemand, question: MissingField | null): readonly MissingField[] => [
  ...missing.filter(({ field }) => field !== orderField && field !== questionField),
  ...(question === null ? [] : [question]),
];

/** The earlier of a time and a day after the action was proposed. */
export function withinLife(proposedAt: string, time: string): string {
  const end = later(proposedAt, bounds.actionLifeSeconds);
  return time < end ? time : end;
}

/** The end of a deferral that people decided. `by` names the receipt that took its place: a permit, or the end of their request. */
export const decidedByPeople = (
  parts: Pick<PlaneParts, 'sign'>,
  { id, asked }: Pick<ActionRow, 'id' | 'asked'>,
  deferral: DeferralRow['id'],
  by: ReceiptId,
  at: string,
  columns: ReceiptColumns,
): Promise<SignedReceipt> =>
  parts.sign('deferral_resolved', at, { deferral, action: { id, digest: asked }, outcome: 'decided', by: { kind: 'service', id: 'plane' }, decided: by }, columns);

/** What the receipt of a decision says of the deferral that it leads to. */
export const deferralTerms = ({ id, missing, waits_for, expires_at }: DeferralRow) => ({
  id,
  missing: storedMissing(missing),
  ...(waits_for.length > 0 ? { waits_for } : {}),
  expires_at,
});

/** The receipt by which a deferral enters the log. */
export const deferralReceipt = (
  parts: PlaneParts,
  deferral: DeferralRow,
  demand: DeferralDemand,
  asked: Digest,
  approval: ApprovalRow | undefined,
  columns: ReceiptColumns,
): Promise<SignedReceipt> =>
  parts.sign(
    'deferral_opened',
    deferral.created_at,
    {
      deferral: deferral.id,
      session: deferral.session,
      action: { id: deferral.action, digest: asked },
      missing: storedMissing(deferral.missing),
      ...(deferral.waits_for.length > 0 ? { waits_for: deferral.waits_for } : {}),
      conflict: demand.conflict,
      ...(approval ? { approval: approval.id } : {}),
      expires_at: deferral.expires_at,
    },
    columns,
  );
