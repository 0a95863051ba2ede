import { basisOf } from '@/lib/approvals/basis';
import { quorumIsReachable } from '@/lib/approvals/eligible-approvers';
import { neededQuorum } from '@/lib/approvals/needed-quorum';
import type { HeldAction } from '@/lib/approvals/held-action';
import { entryHash } from '@/lib/context/entry-hash';
import { permitLabels } from '@/lib/context/permit-labels';
import type { ChainedEntry } from '@/lib/context/entry';
import type { Decision } from '@/lib/engine/decision';
import { contentItem } from '@/lib/ledger/content';
import type { CanonicalAction } from '@/lib/mediate/action';
import { deriveFacts } from '@/lib/mediate/facts';
import type { ActionRow, PermitRow } from '@/lib/ports/action-store';
import type { ApprovalRow, DeferralRow } from '@/lib/ports/approval-store';
import type { ContentItem } from '@/lib/ports/content-store';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { errorCodes } from '@/lib/shared/error-codes';
import type { ActionId, Digest, ReceiptId, SessionId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import { ok, type Result } from '@/lib/shared/result';

import { sealAction, storedContent, type SealedAction } from './action-content';
import type { DecidedInSession } from './decide-in-session';
import { decidedBody } from './decision-receipt';
import { heldActionOf } from './held-action-of';
import type { InForce } from './in-force';
import { later } from './later';
import type { PlaneParts } from './plane-parts';
import type { LiveSession } from './session-contexts';
import type { ReceiptBodyOf } from './sign-receipt';

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
  readonly columns: DecidedColumns;
  /** The decision's own receipt first. */
  readonly receipts: readonly SignedReceipt[];
  readonly contents: readonly ContentItem[];
  readonly approval?: ApprovalRow;
  readonly deferral?: DeferralRow;
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
  const snapshot = contentItem(parts.sha256, parts.ids.salt(), wanted.decided.snapshot as unknown as Json);
  const policy = inForce.denied === null && inForce.policy ? { revision: inForce.policy.revision, digest: inForce.policy.digest } : null;
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
  const approval = held.held ? approvalRow(parts, held.held, now) : undefined;
  const deferral = decision.decision === 'DEFER' ? deferralRow(parts, wanted, decision) : undefined;
  const state = permitted ? 'permitted' : decision.decision === 'STEP_UP' ? 'held' : decision.decision === 'DEFER' ? 'deferred' : 'denied';
  const body = decidedBody({
    sha256: parts.sha256,
    decision,
    snapshot: wanted.decided.snapshot,
    snapshotDigest: snapshot.digest,
    snapshotSalt: snapshot.salt,
    policy,
    epoch: inForce.epoch,
    seals: sealed.value.seals,
  });
  const columns = { session: session.row.id, action: id, agent: session.row.agent, tool: action.tool, operation: action.operation };
  const receipt = await parts.sign(
    'action_decided',
    now,
    {
      ...body,
      tool: action.tool,
      operation: action.operation,
      action: { id, digest: asked },
      cause: wanted.cause,
      ...(wanted.replaces ? { replaces: wanted.replaces } : {}),
      state,
      ...(effective === asked ? {} : { transformed_digest: effective }),
      ...(permit && entry ? { permit: permitTerms(permit, effective, decision, entry) } : {}),
      ...(approval ? { approval: approvalTerms(approval) } : {}),
      ...(deferral && decision.deferral ? { deferral: { id: deferral.id, missing: decision.deferral.missing, expires_at: deferral.expires_at } } : {}),
    },
    {
      ...columns,
      decision: decision.decision,
      labels: wanted.decided.snapshot.labels,
      ...(policy ? { revision: policy.revision } : {}),
    },
    receiptId,
  );
  const receipts = [receipt];
  if (approval && held.held) receipts.push(await requestReceipt(parts, wanted, approval, held.held, { asked, effective }, columns));
  if (deferral && decision.deferral) receipts.push(await deferralReceipt(parts, wanted, deferral, decision, asked, columns));
  return ok({
    tool: action.tool,
    operation: action.operation,
    asked,
    receipts,
    contents: [...(wanted.stored ? [] : sealed.value.items), ...(sealedChange?.value.items ?? []), storedContent(snapshot)],
    ...(approval ? { approval } : {}),
    ...(deferral ? { deferral } : {}),
    ...(entry ? { entry } : {}),
    columns: {
      effective, state, permit, policy,
      decision: decision.decision,
      code: decision.code,
      reason_shown: decision.reason,
      guidance: decision.guidance ?? null,
      classification: decision.classification,
      impact: decision.impact,
      body: canonicalJson(decision as unknown as Json),
      snapshot: snapshot.digest,
      epoch: inForce.epoch,
      context_head: session.row.head,
      changed_at: now,
    },
  });
}

export type { SealedAction };

/** A STEP_UP that nobody could ever approve is a DENY: an empty list never means anyone. */
async function whoCouldApprove(
  parts: PlaneParts,
  wanted: ToPrepare,
): Promise<{ readonly decision: Decision; readonly held: HeldAction | null }> {
  const { decision, snapshot } = wanted.decided;
  const { inForce, session, now } = wanted;
  if (decision.decision !== 'STEP_UP' || !decision.approval || !inForce.policy || !inForce.roster) return { decision, held: null };
  const held = heldActionOf({
    approval: parts.ids.make('approval'),
    id: wanted.id,
    action: wanted.action,
    decision,
    demand: decision.approval,
    snapshot,
    policy: inForce.policy,
    inForce,
    entries: await parts.stores.sessions.entries(session.row.id, 0),
    reason: wanted.reason,
    heldAt: now,
    expiresAt: later(now, decision.approval.timeout_s),
  });
  if (quorumIsReachable(held, inForce.roster.roster.people)) return { decision, held };
  const denied: Decision = {
    ...withoutDemands(decision),
    decision: 'DENY',
    code: 'no_approver',
    reason: `${errorCodes.no_approver.title}: too few people of the groups ${decision.approval.approvers.join(', ')} may approve it.`,
  };
  return { decision: denied, held: null };
}

function withoutDemands(decision: Decision): Decision {
  const { approval: _approval, deferral: _deferral, transformed: _transformed, ...rest } = decision;
  return rest;
}

function permitEntry(
  parts: PlaneParts,
  { id, session, inForce, now }: ToPrepare,
  effective: CanonicalAction,
  decision: Decision,
): ChainedEntry & { readonly session: SessionId } {
  return chained(parts, session, permitEntryOf(id, { ...effective, facts: deriveFacts(effective.entry, effective.parameters) }, decision, inForce, now));
}

/** The entry by which an action joins the session's context when its permit is issued. */
export function permitEntryOf(
  id: ActionId,
  effective: CanonicalAction,
  decision: Pick<Decision, 'decision'>,
  inForce: InForce,
  now: string,
): ChainedEntry['entry'] {
  const { facts } = effective;
  const amount = facts.amounts[0];
  return {
    kind: 'permit',
    at: now,
    action: id,
    tool: effective.tool,
    operation: effective.operation,
    effect: effective.entry.effect,
    decision: decision.decision,
    labels: permitLabels(effective, inForce.policy?.compiled.defaults.unclassified ?? 'RESTRICTED'),
    ...(facts.target === undefined ? {} : { target: facts.target }),
    recipients: facts.recipients,
    ...(amount === undefined ? {} : { amount }),
    parameters: effective.parameters,
  };
}

/** An entry in its place behind the session's head. */
export function chained(parts: Pick<PlaneParts, 'sha256'>, { row }: LiveSession, entry: ChainedEntry['entry']): ChainedEntry & { readonly session: SessionId } {
  const seq = row.seq + 1;
  return { session: row.id, seq, hash: entryHash(parts.sha256, row.head, entry, seq), entry };
}

export const permitTerms = (permit: PermitRow, effective: Digest, decision: Pick<Decision, 'obligations'>, entry: ChainedEntry) => ({
  id: permit.id,
  expires_at: permit.expires_at,
  action_digest: effective,
  obligations: decision.obligations.map(({ kind, value }) => ({ kind, value })),
  context_head: entry.hash,
  context_seq: entry.seq,
  epoch: Number(permit.epoch),
});

function approvalRow(parts: PlaneParts, held: HeldAction, now: string): ApprovalRow {
  const basis = canonicalJson(basisOf(held));
  return {
    id: held.approval,
    action: held.action_id,
    session: held.session,
    state: 'pending',
    impact: held.impact,
    approvers: held.approvers.groups,
    all_groups: held.approvers.all_groups,
    quorum: neededQuorum(held),
    separation: held.approvers.separation,
    basis,
    basis_digest: digestOf(parts.sha256, utf8(basis)),
    held: canonicalJson(held as unknown as Json),
    created_at: now,
    expires_at: held.expires_at,
    resolved_at: null,
    resolved_by: null,
    resolution: null,
  };
}

const approvalTerms = ({ id, basis_digest, expires_at, quorum }: ApprovalRow) => ({ id, basis_digest, expires_at, quorum });

function requestReceipt(
  parts: PlaneParts,
  { id, now }: ToPrepare,
  approval: ApprovalRow,
  held: HeldAction,
  digests: { readonly asked: Digest; readonly effective: Digest },
  columns: object,
): Promise<SignedReceipt> {
  const excluded = [held.identity.human_person, held.identity.registered_by].filter((person) => person !== null);
  return parts.sign(
    'approval_requested',
    now,
    {
      approval: approval.id,
      session: approval.session,
      action: { id, digest: digests.asked },
      ...(digests.effective === digests.asked ? {} : { transformed_digest: digests.effective }),
      basis: approval.basis,
      basis_digest: approval.basis_digest,
      approvers: approval.approvers,
      quorum: approval.quorum,
      separation: approval.separation,
      excluded: [...new Set(excluded)],
      expires_at: approval.expires_at,
    },
    columns,
  );
}

function deferralRow(parts: PlaneParts, { id, session, now }: ToPrepare, decision: Decision): DeferralRow {
  const demand = decision.deferral ?? { missing: [], timeout_s: 0, conflict: [] };
  return {
    id: parts.ids.make('deferral'),
    action: id,
    session: session.row.id,
    state: 'open',
    missing: canonicalJson(demand.missing as unknown as Json),
    created_at: now,
    expires_at: later(now, demand.timeout_s),
    resolved_at: null,
  };
}

const deferralReceipt = (parts: PlaneParts, { id, session, now }: ToPrepare, deferral: DeferralRow, decision: Decision, asked: Digest, columns: object) =>
  parts.sign(
    'deferral_opened',
    now,
    {
      deferral: deferral.id,
      session: session.row.id,
      action: { id, digest: asked },
      missing: decision.deferral?.missing ?? [],
      conflict: decision.deferral?.conflict ?? [],
      expires_at: deferral.expires_at,
    },
    columns,
  );
