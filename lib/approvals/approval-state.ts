import type { ApprovalId, Digest, PersonId } from '@/lib/shared/ids';
import type { Timestamp } from '@/lib/shared/timestamp';

export const approvalStatuses = ['pending', 'approved', 'denied', 'expired', 'withdrawn', 'superseded', 'stale'] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** An approval request's life. Only `pending` goes on; every other state is final and says who brought it about. */
export type ApprovalState =
  | { readonly status: 'pending'; readonly basis_digest: Digest; readonly expires_at: Timestamp }
  | { readonly status: 'approved'; readonly at: Timestamp; readonly by: readonly PersonId[] }
  | { readonly status: 'denied'; readonly at: Timestamp; readonly by: PersonId }
  | { readonly status: 'expired'; readonly at: Timestamp }
  | { readonly status: 'withdrawn'; readonly at: Timestamp; readonly by: string }
  | { readonly status: 'superseded'; readonly at: Timestamp; readonly by: PersonId; readonly successor: ApprovalId }
  /** The basis moved. The successor shows the basis of now; null when the new decision holds nothing. */
  | { readonly status: 'stale'; readonly at: Timestamp; readonly successor: ApprovalId | null };

export type ResolvedApproval = Exclude<ApprovalState, { readonly status: 'pending' }>;
