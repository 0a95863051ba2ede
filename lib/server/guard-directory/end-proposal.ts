import fs from 'node:fs';

import type { GuardAllowlist } from '@/lib/authority/guard-directory/guard-allowlist';
import { appliedProposalFile, guardBounds, guardModes, guardReceiptFile, keptProposalFile } from '@/lib/authority/guard-directory/guard-files';
import { readGuardProposal, type GuardProposal } from '@/lib/authority/guard-directory/guard-proposal';
import { appliedReceipt, readGuardReceipt, type GuardAuthority, type GuardReceipt } from '@/lib/authority/guard-directory/guard-receipt';
import { isDigest, type Digest } from '@/lib/shared/ids';
import { ok, type Result } from '@/lib/shared/result';

import { nodeSha256 } from '../node-sha256';
import type { AnchoredDirectory } from './anchored-directory';
import type { GuardDirectory } from './open-guard-directory';
import { readGuardedFile } from './read-guarded-file';
import { readInbox, type InboxFile } from './read-inbox';
import { keepFile, syncDirectory, writeWholeFile } from './write-whole-file';

/** What became of a proposal; undefined while it waits, and for one that never was. */
export function readEnd({ managed }: GuardDirectory, id: Digest): Result<GuardReceipt | undefined> {
  const file = readGuardedFile(managed, guardReceiptFile(id), { uids: [managed.uid], maxBytes: guardBounds.allowlistBytes });
  if (file.ok) return readGuardReceipt(file.value.bytes);
  return file.error.code === 'not_found' ? ok(undefined) : file;
}

/** The receipt of a proposal that the allowlist already holds, and its bytes under the name that other programs look for. */
export function keepApplied(directory: GuardDirectory, after: GuardAllowlist, proposal: GuardProposal, signed: GuardAuthority | undefined): Result<void> {
  const { managed } = directory;
  const kept = keepFile(managed, keptProposalFile(proposal.id), proposal.bytes, guardModes.managed_file);
  if (!kept.ok) return kept;
  const last = writeWholeFile(managed, appliedProposalFile, proposal.bytes, guardModes.managed_file);
  if (!last.ok) return last;
  const receipt = keepFile(managed, guardReceiptFile(proposal.id), appliedReceipt(proposal.base.digest, after, proposal, signed), guardModes.managed_file);
  return receipt.ok ? ok(undefined) : receipt;
}

/**
 * Takes files out of the inbox. Agents may replace one at any time; a name that means another file by now is left alone. One that is
 * replaced in the very instant is lost, which its agent could have done as well, and notices by the answer it never gets.
 */
export function takeAway({ inbox }: GuardDirectory, files: readonly InboxFile[]): void {
  for (const { name, inode, device } of files) {
    const there = fs.lstatSync(inbox.entry(name), { throwIfNoEntry: false });
    if (there?.ino === inode && there.dev === device) fs.rmSync(inbox.entry(name), { force: true });
  }
  syncDirectory(inbox);
}

/**
 * Finishes what a crash, or a program that keeps no receipts, left undone. The allowlist says which proposal made it; without that one's
 * receipt, the process that applied it ended between the two, and the receipt is made up for from the same bytes. Only under the lock.
 */
export function settle(directory: GuardDirectory, allowlist: GuardAllowlist, signed?: GuardAuthority): Result<void> {
  const inbox = readInbox(directory, allowlist);
  if (!inbox.ok) return inbox;
  const id = allowlist.applied?.proposal;
  if (id !== undefined && isDigest(id)) {
    const end = readEnd(directory, id);
    if (!end.ok) return end;
    if (end.value === undefined) {
      const found = findApplied(directory, allowlist, id) ?? inbox.value.waiting.find(({ proposal }) => proposal.id === id)?.proposal;
      // Another program leaves the bytes in a file of the agent's, who may have destroyed it. There is nothing left to keep; the allowlist stands.
      if (!found) return ok(undefined);
      const kept = keepApplied(directory, allowlist, found, signed);
      if (!kept.ok) return kept;
      takeAway(directory, inbox.value.waiting.filter(({ proposal }) => proposal.id === id).flatMap(({ files }) => files));
    }
  }
  if (inbox.value.ended.length > 0) takeAway(directory, inbox.value.ended);
  return ok(undefined);
}

/** True when an owner's command has something to finish first. */
export function isUnsettled(directory: GuardDirectory, allowlist: GuardAllowlist): Result<boolean> {
  const id = allowlist.applied?.proposal;
  if (id === undefined || !isDigest(id)) return ok(false);
  const end = readEnd(directory, id);
  return end.ok ? ok(end.value === undefined) : end;
}

/** Another program moves the agent's own file there, so its bytes count only by their digest. */
function findApplied({ managed }: GuardDirectory, { ownerUid, agentUid }: GuardAllowlist, id: Digest): GuardProposal | undefined {
  for (const name of [keptProposalFile(id), appliedProposalFile]) {
    const proposal = readKept(managed, name, [ownerUid, agentUid]);
    if (proposal?.id === id) return proposal;
  }
  return undefined;
}

function readKept(managed: AnchoredDirectory, name: string, uids: readonly number[]): GuardProposal | undefined {
  const file = readGuardedFile(managed, name, { uids, maxBytes: guardBounds.proposalBytes });
  const proposal = file.ok ? readGuardProposal(file.value.bytes, nodeSha256) : undefined;
  return proposal?.ok === true ? proposal.value : undefined;
}
