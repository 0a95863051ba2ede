import type { ActionRow } from '@/lib/ports/action-store';
import type { Actor } from '@/lib/ledger/predicates/fields';
import type { ApprovalRow, DeferralRow } from '@/lib/ports/approval-store';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { ErrorCode } from '@/lib/shared/error-codes';

import type { CommitOutcome, Draft } from './draft';
import type { PlaneParts } from './plane-parts';

export type Ending = {
  readonly state: 'withdrawn' | 'expired' | 'denied';
  readonly code: ErrorCode;
  readonly reason: string;
  readonly by: Actor;
  /** For `withdrawn`: why. */
  readonly cause?: 'withdrawn' | 'session_ended' | 'kill_switch' | 'superseded';
};

/** How a request ends when its time is over. */
export const expiredRequest: Ending = { state: 'expired', code: 'approval_expired', reason: 'Nobody approved in time.', by: { kind: 'service', id: 'plane' } };

/**
 * Ends an action that has not run: held, deferred, or permitted and not redeemed. Its approval request and deferral end
 * with it, in the same commit. It only tightens, so it holds under any epoch and context.
 */
export async function endWaiting(parts: PlaneParts, row: ActionRow, wanted: Ending, now: string): Promise<CommitOutcome> {
  const approval = row.state === 'held' ? await parts.stores.approvals.ofAction(row.id) : undefined;
  // One that waits for people to decide has both: they end together.
  const deferral = row.state === 'deferred' || row.state === 'held' ? await parts.stores.approvals.deferralOf(row.id) : undefined;
  // From its expiry on a request ends in nothing else.
  const ending = approval?.state === 'pending' && now >= approval.expires_at ? expiredRequest : wanted;
  return await parts.commits.submit(await draftOfEnding(parts, row, { approval, deferral }, ending, now));
}

/** Requests that end in one transaction: what agents ask for meanwhile waits behind so many at most. */
const together = 8;

/**
 * Ends requests whose time is over, many at a time: they are read together, and committed together with whatever else the plane commits,
 * each by its own compare-and-set. Gives how many ended; what somebody else was faster with, or had extended, is passed over.
 */
export async function expireRequests(parts: PlaneParts, approvals: readonly ApprovalRow[], onFault: (cause: unknown) => void): Promise<number> {
  let ended = 0;
  let committing = Promise.resolve(0);
  for (let at = 0; at < approvals.length; at += together) {
    // These are prepared while those before are committed.
    const drafts = await draftsOfExpiry(parts, approvals.slice(at, at + together));
    ended += await committing;
    committing = commitEach(parts, drafts, onFault);
  }
  return ended + (await committing);
}

async function draftsOfExpiry(parts: PlaneParts, approvals: readonly ApprovalRow[]): Promise<readonly Draft[]> {
  const now = parts.clock.now();
  const ids = approvals.map(({ action }) => action);
  const [rows, deferrals] = await Promise.all([parts.stores.actions.find(ids), parts.stores.approvals.deferralsOf(ids)]);
  const drafts = approvals.map(async (approval) => {
    const row = rows.get(approval.action);
    return row?.state === 'held' ? [await draftOfEnding(parts, row, { approval, deferral: deferrals.find(({ action }) => action === row.id) }, expiredRequest, now)] : [];
  });
  return (await Promise.all(drafts)).flat();
}

/** How many committed. */
async function commitEach(parts: PlaneParts, drafts: readonly Draft[], onFault: (cause: unknown) => void): Promise<number> {
  const commit = async (draft: Draft): Promise<number> => ((await parts.commits.submit(draft)).state === 'committed' ? 1 : 0);
  const ended = await Promise.all(drafts.map((draft) => commit(draft).catch((cause: unknown) => (onFault(cause), 0))));
  return ended.reduce((sum, one) => sum + one, 0);
}

type WithIt = { readonly approval: ApprovalRow | undefined; readonly deferral: DeferralRow | undefined };

async function draftOfEnding(parts: PlaneParts, row: ActionRow, { approval, deferral }: WithIt, ending: Ending, now: string): Promise<Draft> {
  const columns = { session: row.session, action: row.id, agent: row.agent, tool: row.tool, operation: row.operation };
  const action = { id: row.id, digest: row.asked };
  const receipts: SignedReceipt[] = [];
  const resolution = ending.state;
  if (ending.cause) receipts.push(await parts.sign('action_withdrawn', now, { session: row.session, action, cause: ending.cause, by: ending.by }, columns));
  if (approval?.state === 'pending') {
    receipts.push(await parts.sign('approval_resolved', now, { approval: approval.id, action, state: resolution, votes: [], by: ending.by }, columns));
  }
  if (deferral?.state === 'open') {
    const outcome = ending.state === 'expired' ? 'expired' : 'withdrawn';
    receipts.push(await parts.sign('deferral_resolved', now, { deferral: deferral.id, action, outcome, by: ending.by }, columns));
  }
  if (receipts.length === 0) receipts.push(await expiredPermit(parts, row, ending, now));
  return {
    epoch: null,
    session: null,
    action: { id: row.id, state: row.state },
    receipts,
    change: { id: row.id, from: row.state, at: now, state: ending.state, code: ending.code, reason_shown: ending.reason },
    ...(approval?.state === 'pending'
      ? { pending: approval.id, resolveApproval: { id: approval.id, state: resolution, at: now, by: ending.by.id, resolution: ending.reason } }
      : {}),
    ...(deferral?.state === 'open' ? { resolveDeferral: { id: deferral.id, state: ending.state === 'expired' ? 'expired' : 'withdrawn', at: now } } : {}),
    events: [{ kind: 'action_changed', id: row.id }, ...(approval ? [{ kind: 'approval_changed', id: approval.id } as const] : [])],
  };
}

/** A permit that ran out unused: said in the log, so that an auditor need not infer it. */
function expiredPermit(parts: PlaneParts, row: ActionRow, ending: Ending, now: string): Promise<SignedReceipt> {
  if (!row.permit) throw new Error(`Action ${row.id} is ${row.state}: there is nothing to end.`);
  return parts.sign(
    'permit_refused',
    now,
    { permit: row.permit.id, action: { id: row.id, digest: row.asked }, code: ending.code, by: ending.by },
    { session: row.session, action: row.id, agent: row.agent, tool: row.tool, operation: row.operation },
  );
}
