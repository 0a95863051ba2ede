import type { Sha256 } from '@/lib/shared/encoding';
import { fail, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import { guardTime, readGuardAllowlist, type GuardAllowlist } from './guard-allowlist';
import type { GuardProposal } from './guard-proposal';
import { compareCodePoints, sortedJsonBytes } from './sorted-json';

/** Why a proposal cannot be applied to this allowlist as it is now; undefined when it can. */
export function refusalToApply(current: GuardAllowlist, proposal: GuardProposal): Result<never> | undefined {
  if (proposal.base.revision !== current.revision) {
    return fail('policy_base_changed', `The proposal is stale: it was written on revision ${String(proposal.base.revision)}, and revision ${String(current.revision)} is in force.`);
  }
  if (proposal.base.digest !== current.digest) {
    return fail('policy_base_changed', 'The proposal is stale: it was written on an allowlist with another SHA-256 than the one in force.');
  }
  if (current.permissions.includes(proposal.permission)) return fail('conflict', `${proposal.permission} is allowed already.`);
  return undefined;
}

/** The allowlist that the proposal asks for, one revision up. Nothing but the permission, the revision and where it came from differs. */
export function applyGuardProposal(current: GuardAllowlist, proposal: GuardProposal, at: Timestamp, sha256: Sha256): Result<GuardAllowlist> {
  const refusal = refusalToApply(current, proposal);
  if (refusal) return refusal;
  const next = sortedJsonBytes({
    ...current.document,
    revision: current.revision + 1,
    allowlist: [...current.permissions, proposal.permission].sort(compareCodePoints),
    applied_at: guardTime(at),
    applied_proposal_sha256: proposal.id,
  });
  // Read back by the reader that everybody uses: what it would refuse (a bound, say) must not come into force.
  return readGuardAllowlist(next, sha256);
}
