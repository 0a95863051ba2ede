import { applyGuardProposal } from '@/lib/authority/guard-directory/apply-guard-proposal';
import type { GuardAllowlist } from '@/lib/authority/guard-directory/guard-allowlist';
import { allowlistFile, guardModes, keptProposalFile, pastAllowlistFile } from '@/lib/authority/guard-directory/guard-files';
import type { GuardProposal } from '@/lib/authority/guard-directory/guard-proposal';
import type { GuardAuthority } from '@/lib/authority/guard-directory/guard-receipt';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import { nodeSha256 } from '../node-sha256';
import { chooseProposal } from './choose-proposal';
import { keepApplied, settle, takeAway } from './end-proposal';
import { withGuardLock } from './guard-lock';
import { readAllowlist, refuseOthers, type GuardDirectory } from './open-guard-directory';
import { keepFile, syncDirectory, writeWholeFile } from './write-whole-file';

type Asked = {
  /** Undefined: the one that waits, if it is exactly one. */
  readonly id: Digest | undefined;
  readonly caller: number;
  readonly at: Timestamp;
  readonly signed?: GuardAuthority | undefined;
};
export type AppliedInDirectory = { readonly proposal: GuardProposal; readonly before: GuardAllowlist; readonly after: GuardAllowlist; readonly mode: number };

/**
 * Applies a proposal. In this order, so that a crash at any point loses nothing and allows nothing twice:
 *
 * 1. the proposal's bytes and the allowlist in force are kept beside it: copies, which mean nothing yet;
 * 2. the allowlist is replaced, and names the proposal: from here on it is applied, and the proposal's base is stale;
 * 3. its receipt is kept; a crash before that is noticed by the next command of an owner, which writes the same receipt (`settle`);
 * 4. its file leaves the inbox; a crash before that leaves a file whose proposal has a receipt, and it is taken away then.
 */
export function applyInDirectory(directory: GuardDirectory, asked: Asked): Result<AppliedInDirectory> {
  const owned = readAllowlist(directory);
  if (!owned.ok) return owned;
  const owner = refuseOthers(owned.value, asked.caller);
  return owner.ok ? withGuardLock(directory.managed, () => applyLocked(directory, asked)) : owner;
}

function applyLocked(directory: GuardDirectory, { id, at, signed }: Asked): Result<AppliedInDirectory> {
  const { managed } = directory;
  const before = readAllowlist(directory);
  if (!before.ok) return before;
  const settled = settle(directory, before.value, before.value.applied?.proposal === id ? signed : undefined);
  if (!settled.ok) return settled;
  const chosen = chooseProposal(directory, before.value, id);
  if (!chosen.ok) return chosen;
  const { proposal, files } = chosen.value;
  const after = applyGuardProposal(before.value, proposal, at, nodeSha256);
  if (!after.ok) return after;
  for (const [name, bytes] of [[keptProposalFile(proposal.id), proposal.bytes], [pastAllowlistFile(before.value), before.value.bytes]] as const) {
    const kept = keepFile(managed, name, bytes, guardModes.managed_file);
    if (!kept.ok) return kept;
  }
  // A program that does not know the lock may have been here.
  const still = readAllowlist(directory);
  if (!still.ok) return still;
  if (still.value.digest !== before.value.digest) return fail('policy_base_changed', 'The allowlist was changed while the proposal was applied. Look at it again.');
  const written = writeWholeFile(managed, allowlistFile, after.value.bytes, guardModes.managed_file);
  if (!written.ok) return written;
  syncDirectory(managed);
  const kept = keepApplied(directory, after.value, proposal, signed);
  if (!kept.ok) return kept;
  takeAway(directory, files);
  return ok({ proposal, before: before.value, after: after.value, mode: written.value.mode });
}
