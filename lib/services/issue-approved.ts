import type { ActionRow, PermitRow } from '@/lib/ports/action-store';
import type { ApprovalRow } from '@/lib/ports/approval-store';
import type { HeldAction } from '@/lib/approvals/held-action';
import type { CanonicalAction } from '@/lib/mediate/action';
import { gainedLabels } from '@/lib/context/label-ledger';
import { mediate } from '@/lib/mediate/mediate';
import { canonicalJson } from '@/lib/shared/canonical-json';

import { openAction } from './action-content';
import { proveApproved } from './console/prove-approved';
import { decidedByPeople, withinLife } from './deferral-rows';
import { embedAction } from './embed-action';
import { endWaiting } from './end-waiting';
import { endedInLog } from './ended-in-log';
import { coveringGrants, needsGrant } from './grants/covering-grants';
import { inheritedFor } from './inherited-context';
import { later } from './later';
import { parseStoredDecision } from './parse-stored-decision';
import { chained, permitEntryOf, permitTerms } from './permit-entry';
import type { PlaneParts } from './plane-parts';
import type { LiveSession } from './session-contexts';
import { sessionStateAt } from './session-state-at';

const attempts = 8;
const plane = { kind: 'service', id: 'plane' } as const;

/**
 * An approval commits in the console; only the plane holds the key for permits, so it issues them: told by an event, and
 * looking by itself. Safe with many planes: the action's state is compared in the commit, one of them wins. What
 * the votes covered is judged again at redeeming.
 */
export async function issueApproved(parts: PlaneParts, approval: ApprovalRow): Promise<void> {
  await parts.sessions.exclusively(approval.session, async (known) => {
    let session = known;
    for (let attempt = 0; attempt < attempts && session; attempt++) {
      const row = (await parts.stores.actions.find([approval.action])).get(approval.action);
      if (row?.state !== 'held') return;
      if (await issueOnce(parts, approval, row, session)) return;
      await parts.authority.refresh();
      session = await parts.sessions.reload(approval.session);
    }
  });
}

async function issueOnce(parts: PlaneParts, approval: ApprovalRow, row: ActionRow, session: LiveSession): Promise<boolean> {
  const inForce = await parts.authority.current();
  const policy = inForce.policy?.compiled;
  const now = parts.clock.now();
  // With the session ended or everything denied there is nothing to issue; the timekeeper ends the action.
  if (!policy || inForce.denied !== null || sessionStateAt(session.row, policy, now) !== 'open') return true;
  const proven = await proveApproved({ ...parts, ...parts.stores, log: parts.reader, rosters: parts.proposing.authority }, inForce, approval);
  const opened = await openAction(parts.stores.content, parts.sha256, row.effective);
  const action = opened.ok ? mediate(opened.value, policy.catalogue) : opened;
  // One approval, one permit: a row that is set back to `held` does not get another.
  const ended = await endedInLog(parts.reader, row.id, ['permit_issued', 'permit_redeemed', 'action_withdrawn']);
  const inherited = action.ok ? await inheritedFor(parts, session, action.value) : null;
  // What it reads may have been written to since: then nobody has judged it with those labels.
  const asSeen = proven.ok && inherited !== null && gainedLabels(proven.value.held.labels, inherited.labels).length === 0;
  // People approve what would run; a grant that the operation needs has to be there still.
  const needed = action.ok && needsGrant(inForce, action.value);
  const [grant] = needed ? (await coveringGrants(parts, inForce, row.agent, action.value, now)).map(({ id }) => id).sort() : [];
  if (ended !== null || !asSeen || !proven.ok || !action.ok || !isWhatWasApproved(proven.value.held, action.value) || (needed && grant === undefined)) {
    // A roster or root that came into force meanwhile may be what lets the votes count: nothing is ended for want of having looked.
    if (inForce.epoch < (await parts.reader.head()).epoch) return false;
    // What was approved cannot be read or is no longer known, or has had its permit: it can never run, so it does not go on waiting.
    const ending = { state: 'withdrawn', code: 'permit_stale', reason: 'The approved action can no longer be carried out.', by: plane, cause: 'withdrawn' } as const;
    return (await endWaiting(parts, row, ending, now)).state === 'committed';
  }
  const entry = chained(parts, session, permitEntryOf(row.id, action.value, row, inForce, now, session, inherited, parts.ids.salt(), await embedAction(parts.embeddings, session.state, action.value)));
  const receiptId = parts.ids.make('receipt');
  const permit: PermitRow = {
    id: parts.ids.make('permit'),
    expires_at: withinLife(row.proposed_at, later(now, policy.permits.after_approval_s)),
    receipt: receiptId,
    epoch: inForce.epoch,
    head: entry.hash,
  };
  const { obligations } = parseStoredDecision(row.body);
  const deferral = await parts.stores.approvals.deferralOf(row.id);
  const columns = { session: row.session, action: row.id, agent: row.agent, tool: row.tool, operation: row.operation };
  const receipt = await parts.sign(
    'permit_issued',
    now,
    {
      session: row.session,
      agent: row.agent,
      action: { id: row.id, digest: row.asked },
      approval: approval.id,
      permit: permitTerms(permit, row.effective, { obligations, grants: grant === undefined ? [] : [grant] }, entry),
    },
    columns,
    receiptId,
  );
  const decided = deferral?.state === 'open' ? await decidedByPeople(parts, row, deferral.id, receiptId, now, columns) : null;
  const outcome = await parts.commits.submit({
    epoch: inForce.epoch,
    session: { id: row.session, head: session.row.head },
    action: { id: row.id, state: 'held' },
    receipts: decided ? [receipt, decided] : [receipt],
    change: { id: row.id, from: 'held', at: now, state: 'permitted', permit },
    ...(deferral?.state === 'open' ? { resolveDeferral: { id: deferral.id, state: 'resolved', at: now } } : {}),
    entry,
    move: { session: row.session, from: session.row.head, to: entry.hash, seq: entry.seq, at: now },
    events: [{ kind: 'action_changed', id: row.id }],
  });
  if (outcome.state === 'stale') return false;
  parts.sessions.advance(session, entry);
  return true;
}

/** The votes cover exactly this: a′ when policy changed the action, else a. A row that points elsewhere changes nothing. */
function isWhatWasApproved({ action, transformed }: HeldAction, { tool, operation, parameters }: CanonicalAction): boolean {
  const approved = transformed?.parameters ?? action.parameters;
  return action.tool === tool && action.operation === operation && canonicalJson(approved) === canonicalJson(parameters);
}
