import { nextApprovalState } from '@/lib/approvals/approval-machine';
import { differencesOf, outdatesVotes } from '@/lib/approvals/differences';
import type { HeldAction } from '@/lib/approvals/held-action';
import { gainedLabels } from '@/lib/context/label-ledger';
import type { CanonicalAction } from '@/lib/mediate/action';
import { mediate } from '@/lib/mediate/mediate';
import type { ActionRow } from '@/lib/ports/action-store';
import type { ApprovalRow, DeferralRow } from '@/lib/ports/approval-store';
import type { SignedReceipt } from '@/lib/ports/ledger-store';

import { openAction } from './action-content';
import { applyEdit } from './apply-edit';
import { askDecisionPoints } from './ask-decision-points';
import { readHeld } from './console/held-request';
import { credentialsLive } from './credentials-live';
import { decideInSession, type DecidedInSession } from './decide-in-session';
import { embedAction } from './embed-action';
import { endWaiting, type Ending } from './end-waiting';
import { coveringGrants } from './grants/covering-grants';
import { heldActionOf } from './held-action-of';
import type { InForce } from './in-force';
import { inheritedFor } from './inherited-context';
import type { PlaneParts } from './plane-parts';
import { demandNow, prepareDecision } from './prepare-decision';
import { provenRequest } from './proven-request';
import { repeatedDenial } from './repeated-denial';
import type { LiveSession } from './session-contexts';
import { deniedBecause } from './waiting-limits';

const attempts = 8;
/** Requests about one action: an action whose basis never stands still is denied, since nobody could ever judge it. */
const mostRequests = 20;
const plane = { kind: 'service', id: 'plane' } as const;

/**
 * Looks again at requests that policy, roster, switches or their session may have changed under: a request whose basis has moved is
 * stale. Its action is decided again; while people are to decide it, a new request takes the place of the old one, without its votes and
 * to the same end, and says what has changed; else the new decision holds.
 */
export async function lookAtHeld(parts: PlaneParts, limit: number): Promise<void> {
  const { policy, denied, epoch } = await parts.authority.current();
  // While everything is denied nothing is decided: what waits keeps its own end.
  if (!policy || denied !== null) return;
  const faults: unknown[] = [];
  for (const { id, session } of await parts.stores.approvals.toLookAt(epoch, limit)) {
    await lookAtRequest(parts, { id, session }).catch((cause: unknown) => faults.push(cause));
  }
  if (faults.length > 0) throw new AggregateError(faults, `${String(faults.length)} requests could not be looked at again.`);
}

/** One of them, now. Safe with many planes: of those that look at once, one changes it. */
export async function lookAtRequest(parts: PlaneParts, { id, session }: Pick<ApprovalRow, 'id' | 'session'>): Promise<void> {
  await parts.sessions.exclusively(session, async () => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      // Another process may have taken it further than this one knows.
      const live = await parts.sessions.reload(session);
      const approval = await parts.stores.approvals.find(id);
      const row = approval && (await parts.stores.actions.find([approval.action])).get(approval.action);
      if (!live || approval?.state !== 'pending' || row?.state !== 'held') return;
      if ((await (approval.edit === null ? lookOnce : applyEdit)(parts, approval, row, live)) === 'done') return;
      await parts.authority.refresh();
    }
  });
}

type Held = {
  readonly approval: ApprovalRow;
  readonly row: ActionRow;
  /** Open while people decide between rules that disagree. */
  readonly conflict: DeferralRow | null;
  readonly session: LiveSession;
  readonly inForce: InForce;
  readonly before: HeldAction;
  readonly now: string;
};

async function lookOnce(parts: PlaneParts, approval: ApprovalRow, row: ActionRow, session: LiveSession): Promise<'done' | 'moved'> {
  const inForce = await parts.authority.current();
  const now = parts.clock.now();
  const asked = await openAction(parts.stores.content, parts.sha256, row.asked);
  const stored = readHeld(approval, { sha256: parts.sha256 });
  const catalogue = inForce.policy?.compiled.catalogue;
  // What cannot be read any more nobody approves either: it runs into its end.
  if (!asked.ok || !stored.ok || !catalogue) return await looked(parts, approval, session, inForce);
  const action = mediate(asked.value, catalogue);
  if (!action.ok) return await end(parts, row, { state: 'denied', code: action.error.code, reason: `The policy in force cannot take it any more: ${action.error.detail}`, by: plane }, now);
  const deferral = row.decision === 'DEFER' ? await parts.stores.approvals.deferralOf(row.id) : undefined;
  const held: Held = { approval, row, conflict: deferral?.state === 'open' ? deferral : null, session, inForce, before: stored.value, now };
  const decided = await decideAgain(parts, held, action.value);
  if (stillStands(held, action.value, decided)) return await looked(parts, approval, session, inForce);
  if ((await parts.stores.approvals.countOf(row.id)) >= mostRequests) {
    return await end(parts, row, { state: 'denied', code: 'approval_stale', reason: `It changed ${String(mostRequests)} times while it waited.`, by: plane }, now);
  }
  return await replace(parts, held, action.value, decided);
}

async function decideAgain(parts: PlaneParts, { row, session, inForce, now }: Held, action: CanonicalAction): Promise<DecidedInSession> {
  const decided = decideInSession({
    id: row.id, action, session, inForce, now,
    inherited: await inheritedFor(parts, session, action),
    grants: await coveringGrants(parts, inForce, row.agent, action, now),
    points: await askDecisionPoints(parts.points, { id: row.id, action, session, now }),
    embedding: await embedAction(parts.embeddings, session.state, action),
    credentialLives: await credentialsLive(parts.stores.credentials, inForce, [row.credential, session.row.service], now),
  });
  const earlier = decided.decision.decision === 'DENY' || !inForce.policy ? null : await repeatedDenial(parts, session, action, inForce.policy.compiled.catalogue);
  return earlier ? { ...decided, decision: deniedBecause(decided.decision, 'repeated_after_denial', earlier) } : decided;
}

/** Whether people are still to decide this very action, by what they were shown. */
function stillStands(held: Held, action: CanonicalAction, decided: DecidedInSession): boolean {
  const { row, session, inForce, before } = held;
  const demand = demandNow({ decided, cause: causeOf(held) });
  if (!demand || !inForce.policy || decided.decision.decision !== row.decision) return false;
  const after = heldActionOf({
    approval: before.approval, id: row.id, action, decision: decided.decision, demand, snapshot: decided.snapshot, policy: inForce.policy, inForce,
    shown: session.state.shown, reason: row.reason, heldAt: before.held_at, salt: new Uint8Array(16), expiresAt: before.expires_at,
  });
  return !outdatesVotes(differencesOf(before, after, gainedLabels));
}

/** What waited for a fact in vain was put before people at the end of its time, and stays there. */
const causeOf = ({ row, conflict }: Held): 'requeued' | 'timed_out' => (row.decision === 'DEFER' && conflict === null ? 'timed_out' : 'requeued');

async function replace(parts: PlaneParts, held: Held, action: CanonicalAction, decided: DecidedInSession): Promise<'done' | 'moved'> {
  const { approval, row, conflict, session, inForce, now } = held;
  // A row gives the one that follows no more time, and takes no edit away: what is not proved runs into its end.
  const proven = inForce.root && (await provenRequest(parts, inForce.root.root, approval));
  if (!proven?.ok) return await looked(parts, approval, session, inForce);
  const { held: before, state: standing } = proven.value;
  const prepared = await prepareDecision(parts, {
    id: row.id, action, decided, session, inForce, cause: decided.decision.decision === 'DEFER' ? causeOf(held) : 'requeued', reason: row.reason, now,
    stored: { digest: row.asked }, replaces: row.receipt.id, proposedAt: row.proposed_at, instead: { id: approval.id, held: before, expires_at: standing.expires_at, escalates_at: standing.backup?.at ?? null },
    ...(conflict && decided.decision.decision === 'DEFER' ? { open: conflict } : {}),
  });
  if (!prepared.ok) return await looked(parts, approval, session, inForce);
  const { columns, entry, receipts, contents, approval: next, deferral, narrowed } = prepared.value;
  const state = nextApprovalState(standing, { kind: 'basis_changed', now, successor: next?.id ?? null });
  // Its time is over: then nothing but that counts.
  if (!state.ok) return 'done';
  const reference = { id: row.id, digest: row.asked };
  const found = { session: row.session, action: row.id, agent: row.agent, tool: row.tool, operation: row.operation };
  const ends: SignedReceipt[] = [
    await parts.sign('approval_resolved', now, { approval: approval.id, action: reference, state: 'stale', votes: [], by: plane, ...(next ? { superseded_by: next.id } : {}) }, found),
  ];
  const [decision] = receipts;
  if (conflict && !narrowed && decision) ends.push(await parts.sign('deferral_resolved', now, { deferral: conflict.id, action: reference, outcome: 'decided', by: plane, decided: decision.id }, found));
  const outcome = await parts.commits.submit({
    epoch: inForce.epoch,
    session: { id: row.session, head: session.row.head, orClosed: columns.state === 'denied' },
    action: { id: row.id, state: 'held' },
    pending: approval.id,
    receipts: [...receipts, ...ends],
    contents,
    change: { id: row.id, from: 'held', at: now, placed: true, ...columns },
    resolveApproval: { id: approval.id, state: 'stale', at: now, by: plane.id, resolution: null },
    ...(entry ? { entry, move: { session: row.session, from: session.row.head, to: entry.hash, seq: entry.seq, at: now } } : {}),
    ...(next ? { approval: next } : {}),
    ...(deferral ? { deferral } : {}),
    ...(narrowed ? { narrowDeferral: narrowed } : conflict ? { resolveDeferral: { id: conflict.id, state: 'resolved', at: now } } : {}),
    events: [{ kind: 'action_changed', id: row.id }, { kind: 'approval_changed', id: approval.id }, ...(next ? [{ kind: 'approval_changed', id: next.id } as const] : [])],
  });
  if (outcome.state === 'stale') return 'moved';
  if (entry) parts.sessions.advance(session, entry);
  return 'done';
}

async function looked({ stores }: PlaneParts, { id }: ApprovalRow, { row }: LiveSession, { epoch }: InForce): Promise<'done'> {
  await stores.approvals.lookedAt(id, epoch, row.head);
  return 'done';
}

const end = async (parts: PlaneParts, row: ActionRow, ending: Ending, now: string): Promise<'done' | 'moved'> =>
  (await endWaiting(parts, row, ending, now)).state === 'committed' ? 'done' : 'moved';
