import { nextDeferralState } from '@/lib/approvals/deferral-machine';
import { mediate } from '@/lib/mediate/mediate';
import type { ActionRow } from '@/lib/ports/action-store';
import type { DeferralRow } from '@/lib/ports/approval-store';

import { openAction } from './action-content';
import { credentialsLive } from './credentials-live';
import { askDecisionPoints } from './ask-decision-points';
import { embedAction } from './embed-action';
import { decideInSession } from './decide-in-session';
import { endWaiting } from './end-waiting';
import { coveringGrants } from './grants/covering-grants';
import { inheritedFor } from './inherited-context';
import type { PlaneParts } from './plane-parts';
import { prepareDecision, type PreparedDecision } from './prepare-decision';
import type { LiveSession } from './session-contexts';
import { stillInTheWay } from './waiting-order';

const attempts = 4;
const plane = { kind: 'service', id: 'plane' } as const;

/**
 * Ends a deferral whose time is over, by the database's clock: in DENY, or before the people whom its rule names for that, whose
 * own time then ends in DENY. Time never lets anything through: what would be allowed by now is denied like the rest.
 */
export async function expireDeferral(parts: PlaneParts, deferral: DeferralRow): Promise<void> {
  await parts.sessions.exclusively(deferral.session, async (known) => {
    let session = known;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const row = (await parts.stores.actions.find([deferral.action])).get(deferral.action);
      if (row?.state !== 'deferred') return;
      const asked = session ? await askPeople(parts, row, deferral, session) : 'nobody';
      if (asked === 'asked') return;
      if (asked === 'nobody') {
        const ending = { state: 'expired', code: 'deferral_expired', reason: 'What was missing did not come in time.', by: plane } as const;
        if ((await endWaiting(parts, row, ending, parts.clock.now())).state === 'committed') return;
      }
      await parts.authority.refresh();
      session = await parts.sessions.reload(deferral.session);
    }
  });
}

async function askPeople(parts: PlaneParts, row: ActionRow, deferral: DeferralRow, session: LiveSession): Promise<'asked' | 'nobody' | 'moved'> {
  const inForce = await parts.authority.current();
  const catalogue = inForce.policy?.compiled.catalogue;
  const opened = await openAction(parts.stores.content, parts.sha256, row.asked);
  const action = opened.ok && catalogue ? mediate(opened.value, catalogue) : null;
  const { waits, broken } = await stillInTheWay(parts, row, deferral.waits_for);
  // Behind an action that itself waits, or that failed, there is nothing that a person could decide; and one has asked already, and got no answer.
  if (deferral.question !== null || !action?.ok || broken || waits.length > 0) return 'nobody';
  const now = parts.clock.now();
  const credentialLives = await credentialsLive(parts.stores.credentials, inForce, [row.credential, session.row.service], now);
  const decided = decideInSession({ id: row.id, action: action.value, session, inForce, now, inherited: await inheritedFor(parts, session, action.value), grants: await coveringGrants(parts, inForce, row.agent, action.value, now), points: await askDecisionPoints(parts.points, { id: row.id, action: action.value, session, now }), embedding: await embedAction(parts.embeddings, session.state, action.value), credentialLives });
  if (decided.decision.decision !== 'DEFER' || !decided.decision.deferral?.at_timeout) return 'nobody';
  const prepared = await prepareDecision(parts, {
    id: row.id, action: action.value, decided, session, inForce, cause: 'timed_out', reason: row.reason, now,
    stored: { digest: row.asked }, replaces: row.receipt.id, proposedAt: row.proposed_at,
  });
  if (!prepared.ok || !prepared.value.approval || prepared.value.approval.expires_at <= now) return 'nobody';
  const ended = nextDeferralState({ status: 'open', expires_at: deferral.expires_at, at_timeout: 'STEP_UP' }, { kind: 'expire', now });
  if (!ended.ok) return 'moved';
  return await commitRequest(parts, row, deferral, session, prepared.value, inForce.epoch, now);
}

async function commitRequest(
  parts: PlaneParts,
  row: ActionRow,
  deferral: DeferralRow,
  session: LiveSession,
  { columns, receipts, contents, approval }: PreparedDecision,
  epoch: bigint,
  now: string,
): Promise<'asked' | 'moved'> {
  const [decision] = receipts;
  if (!approval || !decision) throw new Error(`Action ${row.id} is put before nobody.`);
  const resolved = await parts.sign(
    'deferral_resolved',
    now,
    { deferral: deferral.id, action: { id: row.id, digest: row.asked }, outcome: 'expired', by: plane, decided: decision.id },
    { session: row.session, action: row.id, agent: row.agent, tool: row.tool, operation: row.operation },
  );
  const outcome = await parts.commits.submit({
    epoch,
    session: { id: row.session, head: session.row.head },
    action: { id: row.id, state: 'deferred' },
    receipts: [...receipts, resolved],
    contents,
    change: { id: row.id, from: 'deferred', at: now, placed: true, ...columns },
    approval,
    resolveDeferral: { id: deferral.id, state: 'expired', at: now },
    events: [{ kind: 'action_changed', id: row.id }, { kind: 'approval_changed', id: approval.id }],
  });
  return outcome.state === 'committed' ? 'asked' : 'moved';
}
