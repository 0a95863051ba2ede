import { bounds } from '@/lib/shared/bounds';
import type { Digest } from '@/lib/shared/ids';
import type { Timestamp } from '@/lib/shared/timestamp';

import type { PendingApproval } from './approval-state';
import type { HeldAction } from './held-action';

type Timed = Pick<HeldAction, 'held_at' | 'expires_at'>;

/**
 * A request as it was made: nobody has extended it, and nobody else was asked. `proposedAt`: when its action was. `before`: where it took
 * the place of a stale one, the first of their line, and how often those before it were extended: it goes on in their time.
 */
export const pendingApproval = (
  held: Timed & Pick<HeldAction, 'approvers'>,
  basisDigest: Digest,
  proposedAt: Timestamp,
  { first, extensions }: { readonly first: Timed; readonly extensions: number } = { first: held, extensions: 0 },
): PendingApproval => ({
  status: 'pending',
  basis_digest: basisDigest,
  expires_at: held.expires_at,
  ends_by: latestEnd(first, proposedAt),
  extensions,
  asked: held.approvers.groups,
  backup: held.approvers.escalate ? { groups: held.approvers.escalate.to, at: plus(first.held_at, held.approvers.escalate.after_s * 1000) } : null,
});

/** Twice the time that a request (the first of its line) first had, and never beyond the day that an action lives. */
export function latestEnd({ held_at, expires_at }: Timed, proposedAt: Timestamp): Timestamp {
  const twice = plus(expires_at, Date.parse(expires_at) - Date.parse(held_at));
  const life = plus(proposedAt, bounds.actionLifeSeconds * 1000);
  return twice < life ? twice : life;
}

const plus = (at: Timestamp, ms: number): Timestamp => new Date(Date.parse(at) + ms).toISOString();
