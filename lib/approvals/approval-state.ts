import type { ActionId, ApprovalId, Digest, PersonId } from '@/lib/shared/ids';
import type { Timestamp } from '@/lib/shared/timestamp';

export const approvalStatuses = ['pending', 'approved', 'denied', 'expired', 'withdrawn', 'superseded', 'stale'] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** What waits for people, as it stands now: extensions move its end, an escalation asks more groups. */
export type PendingApproval = {
  readonly status: 'pending';
  readonly basis_digest: Digest;
  readonly expires_at: Timestamp;
  /** The latest end that extensions may give it. */
  readonly ends_by: Timestamp;
  /** How often it was extended, and those before it in its line. */
  readonly extensions: number;
  /** Groups whose members may decide. */
  readonly asked: readonly string[];
  /** Groups that are asked as well from `at` on; null once they are, and where policy names none. */
  readonly backup: { readonly groups: readonly string[]; readonly at: Timestamp } | null;
  /** An approver has signed other parameters, which the plane has yet to decide. */
  readonly edited?: { readonly by: PersonId; readonly action: ActionId };
};

/** Whom a request asks now, and until when. */
export type RequestTerms = Pick<PendingApproval, 'asked' | 'expires_at'>;

/** An approval request's life. Only `pending` goes on; every other state is final and says who brought it about. */
export type ApprovalState =
  | PendingApproval
  | { readonly status: 'approved'; readonly at: Timestamp; readonly by: readonly PersonId[] }
  | { readonly status: 'denied'; readonly at: Timestamp; readonly by: PersonId }
  | { readonly status: 'expired'; readonly at: Timestamp }
  | { readonly status: 'withdrawn'; readonly at: Timestamp; readonly by: string }
  | { readonly status: 'superseded'; readonly at: Timestamp; readonly by: PersonId; readonly successor: ActionId }
  /** The basis moved. The successor shows the basis of now; null when the new decision holds nothing. */
  | { readonly status: 'stale'; readonly at: Timestamp; readonly successor: ApprovalId | null };

export type ResolvedApproval = Exclude<ApprovalState, { readonly status: 'pending' }>;
