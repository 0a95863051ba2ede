import { mediate } from '@/lib/mediate/mediate';
import type { ActionRow } from '@/lib/ports/action-store';
import type { ActionId } from '@/lib/shared/ids';

import { openAction } from './action-content';
import { decideInSession } from './decide-in-session';
import { inheritedFor } from './inherited-context';
import type { PlaneParts } from './plane-parts';
import { prepareDecision } from './prepare-decision';
import type { LiveSession } from './session-contexts';

const attempts = 8;

/**
 * Decides every deferred action of a session again, with policy and context of now. Whatever still defers stays as it is
 * (its deadline does not move); everything else takes the new decision's state. Gives the actions that left DEFER.
 */
export async function redecideDeferred(parts: PlaneParts, known: LiveSession, cause: 'supplied' | 'requeued'): Promise<ActionId[]> {
  const changed: ActionId[] = [];
  let session: LiveSession | undefined = known;
  for (const { id } of await parts.stores.actions.ofSession(known.row.id, ['deferred'])) {
    for (let attempt = 0; attempt < attempts && session; attempt++) {
      const row = (await parts.stores.actions.find([id])).get(id);
      if (row?.state !== 'deferred') break;
      const outcome = await redecideOne(parts, row, session, cause);
      if (outcome === 'left') changed.push(id);
      if (outcome !== 'moved') break;
      await parts.authority.refresh();
      session = await parts.sessions.reload(known.row.id);
    }
  }
  return changed;
}

async function redecideOne(parts: PlaneParts, row: ActionRow, session: LiveSession, cause: 'supplied' | 'requeued'): Promise<'stays' | 'left' | 'moved'> {
  const inForce = await parts.authority.current();
  const deferral = await parts.stores.approvals.deferralOf(row.id);
  const asked = await openAction(parts.stores.content, parts.sha256, row.asked);
  const catalogue = inForce.policy?.compiled.catalogue;
  const now = parts.clock.now();
  if (deferral?.state !== 'open' || deferral.expires_at <= now || !asked.ok || !catalogue) return 'stays';
  const action = mediate(asked.value, catalogue);
  if (!action.ok) return 'stays';
  const decided = decideInSession({ id: row.id, action: action.value, session, inForce, now, inherited: await inheritedFor(parts, session, action.value) });
  if (decided.decision.decision === 'DEFER') return 'stays';
  const prepared = await prepareDecision(parts, {
    id: row.id, action: action.value, decided, session, inForce, cause, reason: row.reason, now, stored: { digest: row.asked }, replaces: row.receipt.id,
  });
  if (!prepared.ok) return 'stays';
  const { columns, entry, receipts } = prepared.value;
  const { head } = session.row;
  const resolved = await parts.sign(
    'deferral_resolved',
    now,
    {
      deferral: deferral.id,
      action: { id: row.id, digest: row.asked },
      outcome: 'decided',
      by: { kind: 'service', id: 'plane' },
      ...(receipts[0] ? { decided: receipts[0].id } : {}),
    },
    { session: row.session, action: row.id, agent: row.agent, tool: row.tool, operation: row.operation },
  );
  const outcome = await parts.commits.submit({
    epoch: inForce.epoch,
    session: { id: row.session, head },
    action: { id: row.id, state: 'deferred' },
    receipts: [...receipts, resolved],
    contents: prepared.value.contents,
    change: { id: row.id, from: 'deferred', at: now, placed: true, ...columns },
    ...(entry ? { entry, move: { session: row.session, from: head, to: entry.hash, seq: entry.seq, at: now } } : {}),
    ...(prepared.value.approval ? { approval: prepared.value.approval } : {}),
    resolveDeferral: { id: deferral.id, state: 'resolved', at: now },
    events: [
      { kind: 'action_changed', id: row.id },
      ...(prepared.value.approval ? [{ kind: 'approval_changed', id: prepared.value.approval.id } as const] : []),
    ],
  });
  if (outcome.state === 'stale') return 'moved';
  if (entry) parts.sessions.advance(session, entry);
  return 'left';
}
