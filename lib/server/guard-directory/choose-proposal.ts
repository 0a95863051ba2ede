import type { GuardAllowlist } from '@/lib/authority/guard-directory/guard-allowlist';
import { isProposalFile } from '@/lib/authority/guard-directory/guard-files';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { readEnd } from './end-proposal';
import type { GuardDirectory } from './open-guard-directory';
import { readInbox, type WaitingProposal } from './read-inbox';

/**
 * The proposal with this SHA-256, or without one the only one that waits. Two that wait are never a choice for a program: an agent
 * would drop one beside the one that its owner has looked at.
 */
export function chooseProposal(directory: GuardDirectory, allowlist: GuardAllowlist, id: Digest | undefined): Result<WaitingProposal> {
  const inbox = readInbox(directory, allowlist);
  if (!inbox.ok) return inbox;
  const { waiting, odd } = inbox.value;
  if (id !== undefined) {
    const found = waiting.find(({ proposal }) => proposal.id === id);
    return found ? ok(found) : notThere(directory, id);
  }
  const [only, second] = waiting;
  if (only && second) {
    return fail('conflict', `${String(waiting.length)} proposals wait; say which with --id: ${waiting.map(({ proposal }) => proposal.id).join(', ')}.`);
  }
  if (only) return ok(only);
  const first = odd.find(({ name }) => isProposalFile(name)) ?? odd[0];
  return first ? fail('invalid_input', `No proposal waits that could be applied: ${first.name}: ${first.why}`) : fail('not_found', 'No proposal waits.');
}

function notThere(directory: GuardDirectory, id: Digest): Result<never> {
  const end = readEnd(directory, id);
  if (!end.ok) return end;
  if (end.value) return fail('conflict', `Proposal ${id} was ${end.value.result === 'APPLIED' ? 'applied' : 'rejected'} already.`);
  return fail('not_found', `No proposal with the SHA-256 ${id} waits.`);
}
