import { guardTime } from '@/lib/authority/guard-directory/guard-allowlist';
import { guardBounds, guardModes, guardReceiptFile, keptProposalFile } from '@/lib/authority/guard-directory/guard-files';
import type { GuardProposal } from '@/lib/authority/guard-directory/guard-proposal';
import { rejectedReceipt, type GuardAuthority } from '@/lib/authority/guard-directory/guard-receipt';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import { chooseProposal } from './choose-proposal';
import { settle, takeAway } from './end-proposal';
import { withGuardLock } from './guard-lock';
import { readAllowlist, refuseOthers, type GuardDirectory } from './open-guard-directory';
import { keepFile } from './write-whole-file';

type Asked = { readonly id: Digest; readonly reason: string; readonly caller: number; readonly at: Timestamp; readonly signed?: GuardAuthority };
export type RejectedInDirectory = { readonly proposal: GuardProposal; readonly revision: number; readonly digest: Digest };

/**
 * Turns a proposal down for good: its bytes and a receipt with the reason are kept, then its file is taken away. A crash in between is
 * finished by the next command. The same bytes dropped again stay rejected; asking again makes other bytes.
 */
export function rejectInDirectory(directory: GuardDirectory, { id, reason, caller, at, signed }: Asked): Result<RejectedInDirectory> {
  if (reason.trim() === '') return fail('reason_required', 'A reason is needed: the agent is told.');
  if (reason.length > guardBounds.reasonLength || !reason.isWellFormed()) return fail('invalid_input', `The reason is over ${String(guardBounds.reasonLength)} characters, or not valid Unicode.`);
  const owned = readAllowlist(directory);
  if (!owned.ok) return owned;
  const owner = refuseOthers(owned.value, caller);
  if (!owner.ok) return owner;
  return withGuardLock(directory.managed, () => {
    const current = readAllowlist(directory);
    if (!current.ok) return current;
    const settled = settle(directory, current.value);
    if (!settled.ok) return settled;
    const chosen = chooseProposal(directory, current.value, id);
    if (!chosen.ok) return chosen;
    const { proposal, files } = chosen.value;
    const kept = keepFile(directory.managed, keptProposalFile(id), proposal.bytes, guardModes.managed_file);
    if (!kept.ok) return kept;
    const receipt = keepFile(directory.managed, guardReceiptFile(id), rejectedReceipt(current.value, proposal, reason, guardTime(at), signed), guardModes.managed_file);
    if (!receipt.ok) return receipt;
    takeAway(directory, files);
    return ok({ proposal, revision: current.value.revision, digest: current.value.digest });
  });
}
