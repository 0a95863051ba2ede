import { randomBytes } from 'node:crypto';
import fs from 'node:fs';

import type { GuardAllowlist } from '@/lib/authority/guard-directory/guard-allowlist';
import { firstProposalFile, furtherProposalFile, guardModes } from '@/lib/authority/guard-directory/guard-files';
import { makeGuardProposal } from '@/lib/authority/guard-directory/guard-proposal';
import { bytesEqual } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import { codeOf, type AnchoredDirectory } from './anchored-directory';
import { readAllowlist, type GuardDirectory } from './open-guard-directory';
import { writeWholeFile } from './write-whole-file';

type Asked = { readonly permission: string; readonly reason: string; readonly caller: number; readonly at: Timestamp };
type Requested = { readonly file: string; readonly before: Digest; readonly after: Digest };

/**
 * An attempt to widen what one may do: refused, and turned into a proposal that an owner may apply. Nothing in here writes to the managed
 * side; that is read again afterwards, to be able to say so.
 */
export function requestPermission(directory: GuardDirectory, { permission, reason, caller, at }: Asked): Result<Requested> {
  const before = readAllowlist(directory);
  if (!before.ok) return before;
  const allowed = refuseStrangers(before.value, caller);
  if (!allowed.ok) return allowed;
  const bytes = makeGuardProposal(before.value, permission, reason, at);
  if (!bytes.ok) return bytes;
  const file = dropProposal(directory.inbox, bytes.value);
  if (!file.ok) return file;
  const after = readAllowlist(directory);
  if (!after.ok) return after;
  if (!bytesEqual(before.value.bytes, after.value.bytes)) return fail('conflict', 'The allowlist was changed by its owner meanwhile, so the proposal is stale already. Ask again.');
  return ok({ file: file.value, before: before.value.digest, after: after.value.digest });
}

/** What anybody else drops would be refused by whoever reads it; better to say so now. */
const refuseStrangers = ({ agentUid, ownerUid }: GuardAllowlist, caller: number): Result<void> =>
  caller === agentUid || caller === ownerUid ? ok(undefined) : fail('forbidden', `The caller is uid ${String(caller)}, neither the agent (${String(agentUid)}) nor the owner (${String(ownerUid)}).`);

/**
 * Under the first name when it is free, else under one that nobody can guess, so that two agents never overwrite each other: the name is
 * taken by making an empty file, which is then replaced by the whole one. A crash in between leaves the empty file; it is refused as a
 * proposal, and the next one takes another name. (The directory cannot be synced by an agent, who may not open it, and need not be: a
 * proposal that a power cut loses is asked for again.)
 */
function dropProposal(inbox: AnchoredDirectory, bytes: Uint8Array): Result<string> {
  try {
    const name = takeName(inbox, firstProposalFile) ?? furtherProposalFile(randomBytes(16).toString('hex'));
    const written = writeWholeFile(inbox, name, bytes, guardModes.proposal_file);
    return written.ok ? ok(name) : written;
  } catch (cause) {
    return fail('unavailable', `${inbox.path} cannot be written (${codeOf(cause) ?? String(cause)}).`, { cause });
  }
}

function takeName(inbox: AnchoredDirectory, name: string): string | undefined {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
  try {
    fs.closeSync(fs.openSync(inbox.entry(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, guardModes.proposal_file));
    return name;
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return undefined;
    throw cause;
  }
}
