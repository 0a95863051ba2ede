import { nextDeferralState } from '@/lib/approvals/deferral-machine';
import { mediate } from '@/lib/mediate/mediate';
import type { ActionRow } from '@/lib/ports/action-store';
import type { DeferralRow } from '@/lib/ports/approval-store';
import type { ActionId } from '@/lib/shared/ids';

import { openAction } from './action-content';
import { credentialsLive } from './credentials-live';
import { askDecisionPoints } from './ask-decision-points';
import { embedAction } from './embed-action';
import { decideInSession } from './decide-in-session';
import { deniedBecause } from './waiting-limits';
import { endWaiting } from './end-waiting';
import type { InForce } from './in-force';
import { coveringGrants } from './grants/covering-grants';
import { inheritedFor } from './inherited-context';
import { openQuestion, questionEvidence } from './open-question';
import type { PlaneParts } from './plane-parts';
import { prepareDecision, type Cause, type PreparedDecision } from './prepare-decision';
import { repeatedDenial } from './repeated-denial';
import type { LiveSession } from './session-contexts';
import { nothingInTheWay, orderEvidence, stillInTheWay } from './waiting-order';

const attempts = 8;
const plane = { kind: 'service', id: 'plane' } as const;

/** `supplied`: a fact came. `requeued`: the policy changed, or an action that it waited for ended. */
export type RedecideCause = Extract<Cause, 'supplied' | 'requeued'>;

/**
 * Decides every deferred action of a session again, oldest first, with policy, roster and context of now; the identity it was
 * proposed with is validated again. What still defers goes on waiting for what is still missing, to the same end. Gives the
 * actions that left DEFER. Safe with any number of processes: the action's state and its open deferral are compared in the
 * commit, so each deferral is decided once.
 */
export async function redecideDeferred(parts: PlaneParts, known: LiveSession, cause: RedecideCause): Promise<ActionId[]> {
  const changed: ActionId[] = [];
  let session: LiveSession | undefined = known;
  for (const { action: id } of await parts.stores.approvals.openDeferrals(known.row.id)) {
    for (let attempt = 0; attempt < attempts && session; attempt++) {
      const row = (await parts.stores.actions.find([id])).get(id);
      const deferral = await parts.stores.approvals.deferralOf(id);
      if (row?.state !== 'deferred' || deferral?.state !== 'open') break;
      const outcome = await redecideOne(parts, row, deferral, session, cause);
      if (outcome === 'left') changed.push(id);
      if (outcome !== 'moved') break;
      await parts.authority.refresh();
      session = await parts.sessions.reload(known.row.id);
    }
  }
  return changed;
}

type Outcome = 'stays' | 'left' | 'moved';

async function redecideOne(parts: PlaneParts, row: ActionRow, deferral: DeferralRow, session: LiveSession, cause: RedecideCause): Promise<Outcome> {
  const inForce = await parts.authority.current();
  const now = parts.clock.now();
  const asked = await openAction(parts.stores.content, parts.sha256, row.asked);
  const catalogue = inForce.policy?.compiled.catalogue;
  // With everything denied, or its content unreadable, it runs into its end.
  if (deferral.expires_at <= now || !asked.ok || !catalogue) return 'stays';
  const action = mediate(asked.value, catalogue);
  if (!action.ok) {
    const reason = `The policy in force cannot take it any more: ${action.error.detail}`;
    const outcome = await endWaiting(parts, row, { state: 'denied', code: action.error.code, reason, by: plane }, now);
    return outcome.state === 'stale' ? 'moved' : 'left';
  }
  const { waits, broken } = await stillInTheWay(parts, row, deferral.waits_for);
  const inTheWay = { ...nothingInTheWay, waits };
  const credentialLives = await credentialsLive(parts.stores.credentials, inForce, [row.credential, session.row.service], now);
  const question = openQuestion(deferral, session);
  const order = [...orderEvidence(inTheWay), ...questionEvidence(question)];
  const points = parts.points.length === 0 ? order : [...order, ...(await askDecisionPoints(parts.points, { id: row.id, action: action.value, session, now }))];
  const decided = decideInSession({ id: row.id, action: action.value, session, inForce, now, inherited: await inheritedFor(parts, session, action.value), grants: await coveringGrants(parts, inForce, row.agent, action.value, now), points, embedding: await embedAction(parts.embeddings, session.state, action.value), credentialLives });
  const denied = decided.decision.decision === 'DENY';
  const earlier = denied || broken ? null : await repeatedDenial(parts, session, action.value, catalogue);
  const code = denied ? null : broken ? 'pipeline_stopped' : earlier && 'repeated_after_denial';
  const prepared = await prepareDecision(parts, {
    id: row.id, action: action.value, session, inForce, cause, reason: row.reason, now, inTheWay, question,
    decided: code === null ? decided : { ...decided, decision: deniedBecause(decided.decision, code, earlier) },
    stored: { digest: row.asked }, replaces: row.receipt.id, proposedAt: row.proposed_at, open: deferral,
  });
  if (!prepared.ok) return 'stays';
  if (prepared.value.columns.state === 'deferred' && isUnchanged(row, deferral, prepared.value, inForce)) return 'stays';
  return await commitAgain(parts, row, deferral, session, inForce, prepared.value, now);
}

/** Nothing that anybody could see is different, so there is nothing to record. */
const isUnchanged = (row: ActionRow, deferral: DeferralRow, { narrowed }: PreparedDecision, { epoch }: InForce): boolean =>
  row.epoch === epoch && narrowed?.missing === deferral.missing && narrowed.waits_for.join() === deferral.waits_for.join();

async function commitAgain(
  parts: PlaneParts,
  row: ActionRow,
  deferral: DeferralRow,
  session: LiveSession,
  inForce: InForce,
  prepared: PreparedDecision,
  now: string,
): Promise<Outcome> {
  const { columns, entry, receipts, narrowed, approval } = prepared;
  const { head } = session.row;
  const next = nextDeferralState(
    { status: 'open', expires_at: deferral.expires_at, at_timeout: 'DENY' },
    { kind: 'redecide', now, decision: narrowed ? 'DEFER' : prepared.decision.decision },
  );
  if (!next.ok) return 'stays';
  const ended = next.value.status === 'open' ? [] : [await resolvedReceipt(parts, row, deferral, prepared, now)];
  const outcome = await parts.commits.submit({
    epoch: inForce.epoch,
    session: { id: row.session, head, orClosed: columns.state === 'denied' },
    action: { id: row.id, state: 'deferred' },
    openDeferral: deferral.id,
    receipts: [...receipts, ...ended],
    contents: prepared.contents,
    change: { id: row.id, from: 'deferred', at: now, placed: true, ...columns },
    ...(entry ? { entry, move: { session: row.session, from: head, to: entry.hash, seq: entry.seq, at: now } } : {}),
    ...(approval ? { approval } : {}),
    ...(narrowed ? { narrowDeferral: narrowed } : { resolveDeferral: { id: deferral.id, state: 'resolved', at: now } }),
    events: [{ kind: 'action_changed', id: row.id }, ...(approval ? [{ kind: 'approval_changed', id: approval.id } as const] : [])],
  });
  if (outcome.state === 'stale') return 'moved';
  if (entry) parts.sessions.advance(session, entry);
  return columns.state === 'deferred' ? 'stays' : 'left';
}

const resolvedReceipt = (parts: PlaneParts, row: ActionRow, deferral: DeferralRow, { receipts }: PreparedDecision, now: string) =>
  parts.sign(
    'deferral_resolved',
    now,
    {
      deferral: deferral.id,
      action: { id: row.id, digest: row.asked },
      outcome: 'decided',
      by: plane,
      ...(receipts[0] ? { decided: receipts[0].id } : {}),
    },
    { session: row.session, action: row.id, agent: row.agent, tool: row.tool, operation: row.operation },
  );
