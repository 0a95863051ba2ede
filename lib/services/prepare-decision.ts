import { differencesOf } from '@/lib/approvals/differences';
import { quorumIsReachable } from '@/lib/approvals/eligible-approvers';
import type { HeldAction } from '@/lib/approvals/held-action';
import { gainedLabels } from '@/lib/context/label-ledger';
import type { ChainedEntry } from '@/lib/context/entry';
import type { ApprovalDemand, Decision, MissingField } from '@/lib/engine/decision';
import type { CanonicalAction } from '@/lib/mediate/action';
import { deriveFacts } from '@/lib/mediate/facts';
import type { ActionRow, PermitRow } from '@/lib/ports/action-store';
import type { ApprovalRow, DeferralRow, NarrowedDeferral } from '@/lib/ports/approval-store';
import type { ContentItem } from '@/lib/ports/content-store';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { errorCodes } from '@/lib/shared/error-codes';
import type { ActionId, ApprovalId, Digest, ReceiptId, SessionId } from '@/lib/shared/ids';
import { ok, type Result } from '@/lib/shared/result';

import { freshContent, sealAction, sealsByRole } from './action-content';
import { approvalRow, approvalTerms, requestReceipt } from './approval-rows';
import type { DecidedInSession } from './decide-in-session';
import { decidedBody } from './decision-receipt';
import { canAsk, deferralReceipt, deferralRow, deferralTerms, waitsOf, withinLife } from './deferral-rows';
import { actionFindings, guardReceipts } from './guard-receipts';
import { heldActionOf } from './held-action-of';
import type { InForce, PolicyInForce } from './in-force';
import { later } from './later';
import { chained, permitEntryOf, permitTerms } from './permit-entry';
import { askedAndAnswered } from './open-question';
import type { PlaneParts } from './plane-parts';
import type { ProvenEdit } from './proven-edit';
import type { LiveSession } from './session-contexts';
import type { ReceiptBodyOf } from './sign-receipt';
import type { WaitingBounds } from './waiting-bounds';
import { boundsOf } from './waiting-limits';
import { nothingInTheWay, type InTheWay } from './waiting-order';

export type Cause = ReceiptBodyOf<'action_decided'>['cause'];

/** What a decision sets in the action's row. */
export type DecidedColumns = Pick<
  ActionRow,
  | 'effective' | 'decision' | 'state' | 'code' | 'reason_shown' | 'guidance' | 'classification' | 'impact' | 'body' | 'snapshot' | 'policy'
  | 'epoch' | 'context_head' | 'changed_at' | 'permit'
>;

/** A decision with everything that has to be written for it: signed, but not yet durable. */
export type PreparedDecision = {
  /** Names as the catalogue has them. */
  readonly tool: string;
  readonly operation: string;
  readonly asked: Digest;
  readonly decision: Decision;
  readonly columns: DecidedColumns;
  /** The decision's own receipt first. */
  readonly receipts: readonly SignedReceipt[];
  readonly contents: readonly ContentItem[];
  readonly approval?: ApprovalRow;
  readonly deferral?: DeferralRow;
  /** The deferral that was open already, as it goes on. */
  readonly narrowed?: NarrowedDeferral;
  readonly bounds: WaitingBounds | null;
  readonly calm: boolean;
  readonly entry?: ChainedEntry & { readonly session: SessionId };
};

export type ToPrepare = {
  readonly id: ActionId;
  readonly action: CanonicalAction;
  readonly decided: DecidedInSession;
  readonly session: LiveSession;
  readonly inForce: InForce;
  readonly cause: Cause;
  readonly reason: string | null;
  readonly now: string;
  /** The sealed form of a, when it is stored already (a decision made again). */
  readonly stored?: { readonly digest: Digest };
  /** The receipt of the decision that this one replaces. */
  readonly replaces?: ReceiptId;
  /** For one that is decided again: when it was proposed, and its deferral. */
  readonly proposedAt?: string;
  readonly open?: DeferralRow;
  /** What it waits for. */
  readonly inTheWay?: InTheWay;
  /** The request that a new one takes the place of, because its basis has moved: with the same end, and saying what has changed. */
  readonly instead?: { readonly id: ApprovalId; readonly held: HeldAction; readonly expires_at: string; readonly escalates_at: string | null };
  /** The held action that a person changed into this one. */
  readonly edited?: { readonly approval: ApprovalId; readonly held: HeldAction; readonly asked: Digest; readonly edit: Pick<ProvenEdit, 'person' | 'name' | 'at' | 'reason'> };
  /** The answer that a person who asked back still waits for. */
  readonly question?: MissingField | null;
  /** Nobody looked whether anything of the session waits: the commit has to. */
  readonly calm?: boolean;
};

/**
 * Turns a decision into what commits: state, receipt, permit with its context entry, approval request, deferral.
 * `invalid_input` when the parameters cannot be sealed.
 */
export async function prepareDecision(parts: PlaneParts, wanted: ToPrepare): Promise<Result<PreparedDecision>> {
  const { id, action, session, inForce, now } = wanted;
  const sealed = sealAction(parts.sha256, action, action.parameters, parts.ids.salt);
  if (!sealed.ok) return sealed;
  const asked = wanted.stored?.digest ?? sealed.value.digest;
  const held = await whoCouldApprove(parts, wanted);
  const decision = held.decision;
  const changed = decision.transformed && decision.decision !== 'DENY' ? { ...action, parameters: decision.transformed.parameters } : null;
  const sealedChange = changed ? sealAction(parts.sha256, changed, changed.parameters, parts.ids.salt) : null;
  if (sealedChange && !sealedChange.ok) return sealedChange;
  const effective = sealedChange?.value.digest ?? asked;
  const snapshot = freshContent(parts.sha256, parts.ids.salt(), asJson(wanted.decided.snapshot));
  const policy = inForce.denied === null && inForce.policy ? { digest: inForce.policy.digest, revision: inForce.policy.revision } : null;
  const permitted = decision.decision === 'ALLOW' || decision.decision === 'MODIFY';
  const receiptId = parts.ids.make('receipt');
  const entry = permitted ? permitEntry(parts, wanted, changed ?? action, decision) : undefined;
  const permit: PermitRow | null = entry
    ? {
        id: parts.ids.make('permit'),
        expires_at: later(now, inForce.policy?.compiled.permits.ttl_s ?? 0),
        receipt: receiptId,
        epoch: inForce.epoch,
        head: entry.hash,
      }
    : null;
  const approval = held.held ? approvalRow(parts, held.held, now, { epoch: inForce.epoch, head: session.row.head }, escalatesAt(held.held, now, wanted.instead)) : undefined;
  // What people judge lies apart from the log, like everything an agent supplied: receipts name its digest.
  const heldContent = held.held ? freshContent(parts.sha256, parts.ids.salt(), asJson(held.held)) : undefined;
  const demand = decision.decision === 'DEFER' && wanted.cause !== 'timed_out' ? decision.deferral : undefined;
  const inTheWay = wanted.inTheWay ?? nothingInTheWay;
  const waits = { action: id, session: session.row.id, inTheWay, now, proposedAt: wanted.proposedAt ?? now, approval };
  const deferral = demand && (wanted.open ? { ...wanted.open, ...waitsOf(demand, inTheWay, wanted.question ?? null) } : deferralRow(parts, { ...waits, demand }));
  const state = permitted ? 'permitted' : approval ? 'held' : decision.decision === 'DEFER' ? 'deferred' : 'denied';
  const body = decidedBody({
    sha256: parts.sha256,
    decision,
    snapshot: wanted.decided.snapshot,
    snapshotDigest: snapshot.digest,
    snapshotSalt: snapshot.salt,
    policy,
    epoch: inForce.epoch,
    seals: sealed.value.seals,
    sealedFields: sealsByRole(action.entry, sealed.value.seals),
  });
  const columns = { session: session.row.id, action: id, agent: session.row.agent, tool: action.tool, operation: action.operation };
  const receipt = await parts.sign(
    'action_decided',
    now,
    {
      ...body,
      tool: action.tool,
      operation: action.operation,
      action: { digest: asked, id },
      cause: wanted.cause,
      ...(wanted.edited ? { edited_from: { action: { id: wanted.edited.held.action_id, digest: wanted.edited.asked }, approval: wanted.edited.approval, by: wanted.edited.edit.person } } : {}),
      ...(wanted.replaces ? { replaces: wanted.replaces } : {}),
      state,
      ...(effective === asked ? {} : { transformed_digest: effective }),
      ...(permit && entry ? { permit: permitTerms(permit, effective, decision, entry) } : {}),
      ...(approval ? { approval: approvalTerms(approval) } : {}),
      ...(deferral && demand ? { deferral: deferralTerms(deferral) } : {}),
    },
    {
      ...columns,
      decision: decision.decision,
      labels: wanted.decided.snapshot.labels,
      rules: decision.determining.map(({ id: rule }) => rule),
      ...(policy ? { revision: policy.revision } : {}),
    },
    receiptId,
  );
  const receipts = [receipt];
  if (approval && held.held && heldContent) {
    receipts.push(await requestReceipt(parts, approval, held.held, { asked, effective, held: heldContent.digest }, columns, wanted.instead?.id));
  }
  if (deferral && demand && !wanted.open) receipts.push(await deferralReceipt(parts, deferral, demand, asked, approval, columns));
  const { guards } = wanted.decided.snapshot;
  if (guards.length > 0) {
    const inspected = { ...columns, about: { id, digest: asked }, what: 'action', digest: asked, at: now } as const;
    receipts.push(...(await guardReceipts(parts, inspected, actionFindings(guards))));
  }
  return ok({
    tool: action.tool,
    operation: action.operation,
    asked,
    decision: decision.decision === 'DENY' ? withoutDemands(decision) : decision,
    receipts,
    contents: [...(wanted.stored ? [] : sealed.value.items), ...(sealedChange?.value.items ?? []), ...(heldContent ? [heldContent] : []), snapshot],
    ...(approval ? { approval } : {}),
    ...(deferral && demand ? (wanted.open ? { narrowed: { ...deferral, ask: canAsk(parts, demand) } } : { deferral }) : {}),
    bounds: wanted.cause === 'proposed' ? boundsOf(session, inForce, decision, now) : null,
    calm: wanted.calm ?? false,
    ...(entry ? { entry } : {}),
    columns: {
      effective, state, permit, policy,
      decision: decision.decision,
      code: decision.code,
      reason_shown: decision.reason,
      guidance: decision.guidance ?? null,
      classification: decision.classification,
      impact: decision.impact,
      // Only what waits is looked at again; of everything else the receipt says it all.
      body: state === 'held' || state === 'deferred' ? canonicalJson(asJson(decision)) : '{}',
      snapshot: snapshot.digest,
      epoch: inForce.epoch,
      context_head: session.row.head,
      changed_at: now,
    },
  });
}

/** A STEP_UP that nobody could ever approve is a DENY: an empty list never means anyone. */
async function whoCouldApprove(
  parts: PlaneParts,
  wanted: ToPrepare,
): Promise<{ readonly decision: Decision; readonly held: HeldAction | null }> {
  const { decision, snapshot } = wanted.decided;
  const { inForce, session, now } = wanted;
  const demand = demandNow(wanted);
  if (!demand || !inForce.policy || !inForce.roster) return { decision, held: null };
  const { instead } = wanted;
  const asked = heldActionOf({
    approval: parts.ids.make('approval'),
    id: wanted.id,
    action: wanted.action,
    decision,
    demand,
    snapshot,
    policy: inForce.policy,
    inForce,
    shown: session.state.shown,
    // One that has just been proposed was asked about by nobody.
    asked: wanted.edited ? wanted.edited.held.asked : wanted.proposedAt === undefined ? [] : await askedAndAnswered(parts, wanted.id, session, inForce),
    reason: wanted.reason,
    heldAt: now,
    salt: parts.ids.salt(),
    expiresAt: endOf(withinLife(wanted.proposedAt ?? now, later(now, demand.timeout_s)), inForce.policy, instead),
  });
  const held = wanted.edited ? { ...asked, edited: editedFrom(wanted.edited) } : instead ? { ...asked, changed: { from: instead.id, differences: differencesOf(instead.held, asked, gainedLabels) } } : asked;
  if (quorumIsReachable(held, inForce.roster.roster.people)) return { decision, held };
  const denied: Decision = {
    ...withoutDemands(decision),
    decision: 'DENY',
    code: 'no_approver',
    reason: `${errorCodes.no_approver.title}: too few people of the groups ${demand.approvers.join(', ')} may approve it.`,
  };
  return { decision: denied, held: null };
}

/**
 * Whom an action has to be put before: those of a STEP_UP; those who decide between rules that conflict, once nothing else is
 * in the way; and those whom a rule names for the end of a deferral's time.
 */
export function demandNow({ decided: { decision }, cause, inTheWay }: Pick<ToPrepare, 'decided' | 'cause' | 'inTheWay'>): ApprovalDemand | undefined {
  if (decision.decision === 'STEP_UP') return decision.approval;
  if (decision.decision !== 'DEFER' || (inTheWay && inTheWay.waits.length > 0)) return undefined;
  return cause === 'timed_out' ? decision.deferral?.at_timeout : decision.deferral?.escalate;
}

/** What takes the place of another is escalated when that would have been, or at once where it was already: the time of their line goes on. */
function escalatesAt({ approvers: { escalate }, policy }: HeldAction, now: string, instead: ToPrepare['instead']): string | null {
  if (!escalate) return null;
  return instead?.held.approvers.escalate && instead.held.policy.digest === policy.digest ? (instead.escalates_at ?? now) : later(now, escalate.after_s);
}

/** What takes the place of another ends with it, as far as people had extended that; a policy that has changed may give it less time, and nothing more. */
function endOf(own: string, policy: PolicyInForce, instead: ToPrepare['instead']): string {
  return instead && (instead.held.policy.digest === policy.digest || instead.expires_at < own) ? instead.expires_at : own;
}

/** What people who decide an edited action are told of the one before it. */
const editedFrom = ({ approval, held, edit }: NonNullable<ToPrepare['edited']>): NonNullable<HeldAction['edited']> => ({
  from: approval, by: edit.person, name: edit.name, at: edit.at, reason: edit.reason, parameters: held.action.parameters, transformed: held.transformed?.parameters ?? null,
});

function withoutDemands(decision: Decision): Decision {
  const { approval: _approval, deferral: _deferral, transformed: _transformed, ...rest } = decision;
  return rest;
}

function permitEntry(
  parts: PlaneParts,
  { id, session, inForce, now, decided }: ToPrepare,
  effective: CanonicalAction,
  decision: Decision,
): ChainedEntry & { readonly session: SessionId } {
  return chained(parts, session, permitEntryOf(id, { ...effective, facts: deriveFacts(effective.entry, effective.parameters) }, decision, inForce, now, session, decided.inherited, parts.ids.salt(), decided.snapshot.embedding));
}


