import type { ActionRow } from '@/lib/ports/action-store';

import { endWaiting, expireRequests } from './end-waiting';
import { endSession, withdrawWaiting } from './close-session';
import { escalateRequests } from './escalate-request';
import { expireDeferral } from './expire-deferral';
import { issueApproved } from './issue-approved';
import type { PlaneParts } from './plane-parts';
import { lookAtHeld } from './redecide-held';
import { lookAgain, releaseDeferred } from './release-deferred';
import { overdue } from './report-outcome';

/** Rows of each kind looked at in one round. */
const batch = 500;
const plane = { kind: 'service', id: 'plane' } as const;

/**
 * What time brings about: requests and deferrals expire into DENY, requests that nobody decided are put before their backup groups, what waited for something that has come is decided again,
 * permits run out, outcomes become *unknown*, sessions end, and approvals whose permit a crash kept from being issued get it.
 * Everything is found by the database's clock and committed by compare-and-set, so any number of planes may keep time side by
 * side, and a restart resumes it. One that cannot be dealt with does not keep the others waiting: its fault is thrown at the end.
 */
export async function keepTime(parts: PlaneParts): Promise<void> {
  const faults: unknown[] = [];
  const each = async <T>(found: Promise<readonly T[]>, work: (one: T) => Promise<unknown>): Promise<void> => {
    for (const one of await found) await work(one).catch((cause: unknown) => faults.push(cause));
  };
  const { approvals } = parts.stores;
  await each(approvals.awaitingPermit(batch), (approval) => issueApproved(parts, approval));
  await each(Promise.resolve([expireAll]), (work) => work(parts, faults));
  await each(approvals.expiredDeferrals(batch), (deferral) => expireDeferral(parts, deferral));
  await each(parts.stores.actions.overdue(batch), (row) => endOverdue(parts, row));
  await each(Promise.resolve([endSessions, releaseAll, lookAtMoved, lookAtRequests, escalateAll]), (work) => work(parts));
  if (faults.length > 0) throw new AggregateError(faults, `${String(faults.length)} things whose time has come could not be dealt with.`);
}

const lookAtMoved = (parts: PlaneParts): Promise<void> => lookAgain(parts, batch);
const lookAtRequests = (parts: PlaneParts): Promise<void> => lookAtHeld(parts, batch);
const escalateAll = (parts: PlaneParts): Promise<void> => escalateRequests(parts, batch);
const releaseAll = (parts: PlaneParts): Promise<void> => releaseDeferred(parts, batch);

/** However many run out in one second, they end within seconds, and what agents ask for meanwhile waits behind a few of them at most. */
async function expireAll(parts: PlaneParts, faults: unknown[]): Promise<void> {
  for (let ended = 1; ended > 0; ) {
    const due = await parts.stores.approvals.expired(batch);
    ended = await expireRequests(parts, due, (cause) => faults.push(cause));
    if (due.length < batch) return;
  }
}

async function endOverdue(parts: PlaneParts, row: ActionRow): Promise<void> {
  const now = parts.clock.now();
  if (row.state === 'permitted') {
    await endWaiting(parts, row, { state: 'expired', code: 'permit_expired', reason: 'The permit was not used in time.', by: plane }, now);
    return;
  }
  await parts.sessions.exclusively(row.session, async (session) => {
    if (!session || !row.permit) return;
    const body = {
      session: row.session, permit: row.permit.id, action: { id: row.id, digest: row.asked }, status: 'unknown', labels: [], trusted: false,
      late: false, reported_by: plane, context_head: session.row.head, context_seq: session.row.seq,
    } as const;
    const receipt = await parts.sign('outcome_reported', now, body, {
      session: row.session, action: row.id, agent: row.agent, tool: row.tool, operation: row.operation,
    });
    await parts.commits.submit({
      epoch: null,
      session: { id: row.session, head: session.row.head, orClosed: true },
      action: { id: row.id, state: 'redeemed' },
      receipts: [receipt],
      change: { id: row.id, from: 'redeemed', at: now, state: 'unknown', outcome_at: now, outcome_error: overdue },
      events: [{ kind: 'action_changed', id: row.id }],
    });
  });
}

async function endSessions(parts: PlaneParts): Promise<void> {
  const inForce = await parts.authority.current();
  const limits = inForce.policy?.compiled.sessions;
  if (!limits) return;
  const now = Date.parse(parts.clock.now());
  const before = (seconds: number) => new Date(now - seconds * 1000).toISOString();
  for (const id of await parts.stores.sessions.ended(before(limits.idle_s), before(limits.ttl_s), batch)) {
    await endSession(parts, id, 'expired', plane);
  }
  // A kill switch withdraws all that waits; a crash after a session ended left what waited in it.
  for (const { session, cause } of await parts.stores.actions.orphaned(batch)) await withdrawWaiting(parts, session, cause, plane);
}
