import type { Digest, PersonId } from '@/lib/shared/ids';

import type { HeldAction } from './held-action';
import { neededQuorum } from './needed-quorum';
import type { VerifiedVote } from './verify-vote';

export type QuorumTally = {
  readonly needed: number;
  /** Different people whose approval counts, in the order of their first vote. */
  readonly given: readonly PersonId[];
  /** Groups that must still take part; empty unless all must. */
  readonly groups_missing: readonly string[];
  readonly met: boolean;
};

/**
 * Counts approvals that were verified against this request and basis; anything else is not seen.
 * INVARIANT: people count, not votes or keys. Verify every vote again right before relying on `met`.
 */
export function tallyQuorum(
  votes: readonly VerifiedVote[],
  held: Pick<HeldAction, 'approval' | 'approvers' | 'impact'>,
  basisDigest: Digest,
): QuorumTally {
  const counting = votes.filter((vote) => vote.request === held.approval && vote.basis_digest === basisDigest);
  const given = [...new Set(counting.map(({ person }) => person))];
  const needed = neededQuorum(held);
  const groups_missing = held.approvers.all_groups
    ? held.approvers.groups.filter((group) => !counting.some(({ groups }) => groups.includes(group)))
    : [];
  return { needed, given, groups_missing, met: given.length >= needed && groups_missing.length === 0 };
}
