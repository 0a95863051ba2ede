import { assertNever } from '@/lib/shared/assert-never';
import type { ActionId, ApprovalId, Digest, PersonId } from '@/lib/shared/ids';
import { err, ok, type Fault, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import type { ApprovalState, PendingApproval, ResolvedApproval } from './approval-state';
import type { QuorumTally } from './quorum';

/** What can happen to an approval request. `now` is the database's clock in the statement that commits it. */
export type ApprovalEvent = { readonly now: Timestamp } & (
  /** A verified approval was counted, on the basis that the tally is of. */
  | { readonly kind: 'approve'; readonly basis_digest: Digest; readonly tally: QuorumTally }
  | { readonly kind: 'deny'; readonly by: PersonId }
  | { readonly kind: 'expire' }
  /** By the requester, the agent, or because session or switch ended it. */
  | { readonly kind: 'withdraw'; readonly by: string }
  /** An approver signed other parameters. Until they are decided nothing but an end counts: what was edited is not approved as it was. */
  | { readonly kind: 'edit'; readonly by: PersonId; readonly successor: ActionId }
  /** The edited action was decided, and takes its place. */
  | { readonly kind: 'supersede'; readonly by: PersonId; readonly successor: ActionId }
  | { readonly kind: 'basis_changed'; readonly successor: ApprovalId | null }
  /** An approver signed that it ends later. */
  | { readonly kind: 'extend'; readonly until: Timestamp }
  /** Nobody decided in time, so the backup groups are asked as well. */
  | { readonly kind: 'escalate' }
);

/** Extensions of one request at most: each leaves a receipt, and whoever judges a vote reads them all. */
export const mostExtensions = 10;

/** Why an event came to nothing. `winner` is the end that was there first. */
export type ApprovalRefusal = Fault & { readonly winner?: ResolvedApproval };

/**
 * The one transition function. Whoever applies it stores the result by compare-and-set on the state it was given; the
 * loser of that race calls it again with what is there now, and is told who won.
 * Past the expiry only `expire` is left, so that a late vote loses even when the timekeeper is later still.
 */
export function nextApprovalState(state: ApprovalState, event: ApprovalEvent): Result<ApprovalState, ApprovalRefusal> {
  if (state.status !== 'pending') {
    return err({ code: 'already_resolved', detail: `The request is over: ${endOf(state)}.`, winner: state });
  }
  const { now } = event;
  if (event.kind === 'expire') {
    if (now < state.expires_at) return err({ code: 'conflict', detail: `The request is open until ${state.expires_at}.` });
    return ok({ status: 'expired', at: state.expires_at });
  }
  if (now >= state.expires_at) return err({ code: 'approval_expired', detail: `The request expired at ${state.expires_at}.` });
  const { edited } = state;
  if (edited && !stillCounts.has(event.kind)) return err({ code: 'edit_pending', detail: `${edited.by} has changed it: it goes on as ${edited.action}.` });
  switch (event.kind) {
    case 'approve':
      if (event.basis_digest !== state.basis_digest) return err({ code: 'approval_stale', detail: 'The request has changed since it was signed.' });
      return ok(event.tally.met ? { status: 'approved', at: now, by: event.tally.given } : state);
    case 'deny':
      return ok({ status: 'denied', at: now, by: event.by });
    case 'withdraw':
      return ok({ status: 'withdrawn', at: now, by: event.by });
    case 'edit':
      return ok({ ...state, edited: { by: event.by, action: event.successor } });
    case 'supersede':
      if (edited?.action !== event.successor) return err({ code: 'conflict', detail: 'Nobody has changed it to that.' });
      return ok({ status: 'superseded', at: now, by: event.by, successor: event.successor });
    case 'basis_changed':
      return ok({ status: 'stale', at: now, successor: event.successor });
    case 'extend':
      return extended(state, event.until);
    case 'escalate':
      return escalated(state, now);
    default:
      return assertNever(event);
  }
}

/** What counts also while an edit waits to be decided: its ends, and that others may bring about one of them. */
const stillCounts: ReadonlySet<ApprovalEvent['kind']> = new Set(['deny', 'withdraw', 'supersede', 'escalate']);

function extended(state: PendingApproval, until: Timestamp): Result<ApprovalState, ApprovalRefusal> {
  const { expires_at, ends_by, extensions } = state;
  if (until <= expires_at) return err({ code: 'invalid_input', detail: `It ends at ${expires_at} as it is.` });
  if (until > ends_by) return err({ code: 'invalid_input', detail: `It can be extended to ${ends_by} at most.` });
  if (extensions >= mostExtensions) return err({ code: 'conflict', detail: `It was extended ${extensions} times already.` });
  return ok({ ...state, expires_at: until, extensions: extensions + 1 });
}

/** INVARIANT: whoever was asked stays asked, and as many people are needed as before. */
function escalated(state: PendingApproval, now: Timestamp): Result<ApprovalState, ApprovalRefusal> {
  const { asked, backup } = state;
  if (backup === null) return err({ code: 'conflict', detail: 'Nobody else is to be asked.' });
  if (now < backup.at) return err({ code: 'conflict', detail: `Others are asked from ${backup.at} on.` });
  return ok({ ...state, asked: [...new Set([...asked, ...backup.groups])], backup: null });
}

function endOf(state: ResolvedApproval): string {
  switch (state.status) {
    case 'approved':
      return `approved by ${state.by.join(', ')} at ${state.at}`;
    case 'denied':
      return `denied by ${state.by} at ${state.at}`;
    case 'expired':
      return `expired at ${state.at}`;
    case 'withdrawn':
      return `withdrawn by ${state.by} at ${state.at}`;
    case 'superseded':
      return `replaced by ${state.successor} at ${state.at}`;
    case 'stale':
      return `it changed at ${state.at}${state.successor ? ` and goes on as ${state.successor}` : ''}`;
    default:
      return assertNever(state);
  }
}
