import { nextApprovalState } from '@/lib/approvals/approval-machine';
import type { PendingApproval } from '@/lib/approvals/approval-state';
import type { HeldAction } from '@/lib/approvals/held-action';
import type { CanonicalAction } from '@/lib/mediate/action';
import { mediate } from '@/lib/mediate/mediate';
import type { ActionRow } from '@/lib/ports/action-store';
import type { ApprovalRow } from '@/lib/ports/approval-store';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { Fault } from '@/lib/shared/result';

import { askDecisionPoints } from './ask-decision-points';
import { credentialsLive } from './credentials-live';
import { decideInSession } from './decide-in-session';
import { embedAction } from './embed-action';
import { endWaiting } from './end-waiting';
import { coveringGrants } from './grants/covering-grants';
import type { InForce } from './in-force';
import { inheritedFor } from './inherited-context';
import type { PlaneParts } from './plane-parts';
import { prepareDecision, type PreparedDecision } from './prepare-decision';
import { provenEdit, type ProvenEdit } from './proven-edit';
import { repeatedDenial } from './repeated-denial';
import type { LiveSession } from './session-contexts';
import { deniedBecause, stopsInLine } from './waiting-limits';
import { inTheWayOf, orderEvidence } from './waiting-order';

const plane = { kind: 'service', id: 'plane' } as const;

type Edited = { readonly approval: ApprovalRow; readonly row: ActionRow; readonly before: HeldAction; readonly state: PendingApproval; readonly edit: ProvenEdit; readonly session: LiveSession; readonly inForce: InForce; readonly now: string };

/**
 * Decides what a person edited in the console, which holds no key for permits: the edited action is a new one, decided from the start in
 * the session as it is, and takes the place of the held one in the same commit. Until then nobody can approve what was edited; a denial,
 * a withdrawal or the request's end comes first if it is first. `moved`: what it rested on did, look again.
 */
export async function applyEdit(parts: PlaneParts, approval: ApprovalRow, row: ActionRow, session: LiveSession): Promise<'done' | 'moved'> {
  const inForce = await parts.authority.current();
  const now = parts.clock.now();
  const catalogue = inForce.policy?.compiled.catalogue;
  // With everything denied nothing is decided; the request runs into its end.
  if (!catalogue || inForce.denied !== null) return 'done';
  const proven = await provenEdit(parts, inForce, approval);
  if (!proven.ok) return await denied(parts, row, proven.error, now);
  const { held: before, edit } = proven.value;
  const { tool, operation } = before.action;
  const action = mediate({ tool, operation, parameters: edit.parameters }, catalogue);
  if (!action.ok) return await denied(parts, row, action.error, now);
  if (action.value.tool !== tool || action.value.operation !== operation) return await denied(parts, row, { code: 'invalid_parameters', detail: 'It would be another operation.' }, now);
  const edited: Edited = { approval, row, before, state: proven.value.state, edit, session, inForce, now };
  const prepared = await decide(parts, edited, action.value);
  return prepared === null ? await denied(parts, row, { code: 'invalid_parameters', detail: 'It cannot be stored.' }, now) : await commit(parts, edited, prepared);
}

/** An edit that cannot be taken ends the action: whoever edited it did not want it as it was. */
async function denied(parts: PlaneParts, row: ActionRow, { code, detail }: Fault, now: string): Promise<'done' | 'moved'> {
  const ending = { state: 'denied', code, reason: `What a person edited it to cannot be decided. ${detail}`.trim(), by: plane } as const;
  return (await endWaiting(parts, row, ending, now)).state === 'committed' ? 'done' : 'moved';
}

async function decide(parts: PlaneParts, { row, before, approval, edit, session, inForce, now }: Edited, action: CanonicalAction): Promise<PreparedDecision | null> {
  const inTheWay = await inTheWayOf(parts, session, inForce, action, row.depends_on, true, row);
  const decided = decideInSession({
    id: edit.action, action, session, inForce, now,
    inherited: await inheritedFor(parts, session, action),
    grants: await coveringGrants(parts, inForce, row.agent, action, now),
    points: [...orderEvidence(inTheWay), ...(await askDecisionPoints(parts.points, { id: edit.action, action, session, now }))],
    embedding: await embedAction(parts.embeddings, session.state, action),
    credentialLives: await credentialsLive(parts.stores.credentials, inForce, [row.credential, session.row.service], now),
  });
  const catalogue = inForce.policy?.compiled.catalogue;
  const earlier = catalogue && decided.decision.decision !== 'DENY' ? await repeatedDenial(parts, session, action, catalogue) : null;
  const code = stopsInLine(inTheWay, inForce, decided.decision) ?? (earlier && 'repeated_after_denial');
  const prepared = await prepareDecision(parts, {
    id: edit.action, action, session, inForce, cause: 'edited', reason: row.reason, now, inTheWay, proposedAt: row.proposed_at,
    decided: code === null ? decided : { ...decided, decision: deniedBecause(decided.decision, code, code === 'repeated_after_denial' ? earlier : null) },
    edited: { approval: approval.id, held: before, asked: row.asked, edit },
  });
  return prepared.ok ? prepared.value : null;
}

async function commit(parts: PlaneParts, { approval, row, state: before, edit, session, inForce, now }: Edited, prepared: PreparedDecision): Promise<'done' | 'moved'> {
  const { columns, entry, approval: next, deferral } = prepared;
  const state = nextApprovalState(before, { kind: 'supersede', now, by: edit.person, successor: edit.action });
  // Its time is over: then nothing but that counts.
  if (!state.ok) return 'done';
  const conflict = row.decision === 'DEFER' ? await parts.stores.approvals.deferralOf(row.id) : undefined;
  const open = conflict?.state === 'open' ? conflict : undefined;
  const by = { kind: 'person', id: edit.person } as const;
  const reference = { id: row.id, digest: row.asked };
  const found = { session: row.session, action: row.id, agent: row.agent, person: edit.person, tool: row.tool, operation: row.operation };
  const ends: SignedReceipt[] = [
    await parts.sign('approval_resolved', now, { approval: approval.id, action: reference, state: 'superseded', votes: [], by, ...(next ? { superseded_by: next.id } : {}) }, found),
  ];
  if (open) ends.push(await parts.sign('deferral_resolved', now, { deferral: open.id, action: reference, outcome: 'superseded', by }, found));
  const outcome = await parts.commits.submit({
    epoch: inForce.epoch,
    session: { id: row.session, head: session.row.head, orClosed: columns.state === 'denied' },
    action: { id: row.id, state: 'held' },
    pending: approval.id,
    receipts: [...prepared.receipts, ...ends],
    contents: prepared.contents,
    insert: {
      id: edit.action, session: row.session, agent: row.agent, human: row.human, credential: row.credential, tool: row.tool, operation: row.operation,
      asked: prepared.asked, reason: row.reason, depends_on: row.depends_on, proposed_at: row.proposed_at, redeemed_at: null, redeemed_by: null,
      outcome_due_at: null, outcome_at: null, output: null, outcome_error: null, superseded_by: null, ...columns,
    },
    change: {
      id: row.id, from: 'held', at: now, state: 'superseded', code: 'action_superseded', superseded_by: edit.action,
      reason_shown: `A person changed what may be done: it goes on as ${edit.action}.`, guidance: edit.reason,
    },
    resolveApproval: { id: approval.id, state: 'superseded', at: now, by: edit.person, resolution: edit.reason },
    ...(open ? { resolveDeferral: { id: open.id, state: 'resolved', at: now } } : {}),
    ...(entry ? { entry, move: { session: row.session, from: session.row.head, to: entry.hash, seq: entry.seq, at: now } } : {}),
    ...(next ? { approval: next } : {}),
    ...(deferral ? { deferral } : {}),
    events: [
      { kind: 'action_changed', id: row.id }, { kind: 'action_changed', id: edit.action }, { kind: 'approval_changed', id: approval.id },
      ...(next ? [{ kind: 'approval_changed', id: next.id } as const] : []),
    ],
  });
  if (outcome.state === 'stale') return 'moved';
  if (entry) parts.sessions.advance(session, entry);
  if (columns.state === 'held' || columns.state === 'deferred') session.mayWait = true;
  return 'done';
}
