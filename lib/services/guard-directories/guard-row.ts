import { readGuardProposal, type GuardProposal } from '@/lib/authority/guard-directory/guard-proposal';
import type { ListedProposal } from '@/lib/ports/proposal-store';
import { utf8, type Sha256 } from '@/lib/shared/encoding';
import { fail, type Result } from '@/lib/shared/result';

/**
 * Who made it: a user of the operating system, in a directory. There is no other name for that agent, and the receipt of the proposal states
 * this one, so a row cannot move a proposal to another directory.
 */
export const guardMaker = (directory: string, uid: number): string => `${directory}/uid-${String(uid)}`;

export const directoryOf = ({ maker_id }: Pick<ListedProposal, 'maker_id'>): string => maker_id.slice(0, Math.max(0, maker_id.indexOf('/')));

/** The proposal's file is the row's text, byte for byte: its digest is the one by which the directory knows it. */
export function guardProposalOf({ text, digest }: { readonly text: string; readonly digest: string }, sha256: Sha256): Result<GuardProposal> {
  const read = readGuardProposal(utf8(text), sha256);
  if (!read.ok) return read;
  return read.value.id === digest ? read : fail('ledger_broken', 'The proposal is not the file that its digest names.');
}

/** What the proof of such a change holds: the one difference between two lists, which leaves nothing to search. */
export const allowlistProof = (directory: string, before: readonly string[], { permission, base }: GuardProposal) =>
  ({ target: 'allowlist', directory, change: 'loosen', method: allowlistMethod, base, added: permission, permissions: before }) as const;

export const allowlistMethod = 'difference of two lists';
/** What nobody finds out from a list of names. */
export const allowlistOpen = 'What the operation of this name does, once it is allowed: the list holds names.';
