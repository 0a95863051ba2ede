import type { PreparedGuardSigning, SignedGuardProposal } from '@/lib/contracts/console/guard-directories';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import type { ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { rejectProposal } from '../proposals/end-proposal';
import { prepareSigning } from '../proposals/prepare-signing';
import { signProposals } from '../proposals/sign-proposals';
import { followGuardDirectory } from './follow-guard-directory';
import { directoryOf } from './guard-row';

/** The directory of a proposal for an allowlist. `not_found` for any other. */
async function directoryFor(parts: ConsoleParts, id: ProposalId): Promise<Result<string>> {
  const row = await parts.proposals.find(id);
  if (row?.target !== 'allowlist') return fail('not_found', 'No guard directory has this proposal.');
  return ok(directoryOf(row));
}

/**
 * What an owner signs to let one permission in. The directory is brought up to date first, so that nobody signs what has become stale.
 * Failures: why the directory cannot be trusted, `forbidden` where the console does not run as its owner, and those of `prepareSigning`.
 */
export async function prepareGuardSigning(parts: ConsoleParts, viewer: Viewer, id: ProposalId): Promise<Result<PreparedGuardSigning>> {
  const name = await directoryFor(parts, id);
  if (!name.ok) return name;
  const seen = parts.guards.look(name.value);
  if (!seen.ok) return seen;
  if (!seen.value.owned) return fail('forbidden', 'The console does not run as the owner of the directory, so it cannot apply anything there.', { fix: 'Use "countersign guard apply-proposal" as the owner.' });
  const followed = await followGuardDirectory(parts, name.value);
  if (!followed.ok) return followed;
  const prepared = await prepareSigning(parts, viewer, [id]);
  if (!prepared.ok) return prepared;
  const [step] = prepared.value.steps;
  const application = step?.documents[0];
  if (!step || !application) return fail('ledger_broken', 'The proposal is not the file that its digest names.');
  return ok({ statement: prepared.value.statement, application, needed: step.needed, counted: step.counted });
}

/** An owner signs; with enough signatures, and after a cool-off, the directory is changed at once. What is stale by it ends. */
export async function signGuardProposal(parts: ConsoleParts, viewer: Viewer, id: ProposalId, statement: string, application: string): Promise<Result<SignedGuardProposal>> {
  const name = await directoryFor(parts, id);
  if (!name.ok) return name;
  const signed = await signProposals(parts, viewer, { proposals: [id], statement, documents: [[{ envelope: application }]] });
  if (!signed.ok) return signed;
  await followGuardDirectory(parts, name.value);
  const [step] = signed.value.steps;
  return ok({ applied: step?.applied === true, revision: step?.revision ?? null, waits: step?.waits ?? null });
}

/** Turns one down, here and in the directory. A crash in between is finished by whoever looks next (`followGuardDirectory`). */
export async function rejectGuardProposal(parts: ConsoleParts, viewer: Viewer, id: ProposalId, reason: string): Promise<Result<{ readonly receipt: string }>> {
  const name = await directoryFor(parts, id);
  if (!name.ok) return name;
  const rejected = await rejectProposal(parts, { kind: 'person', id: viewer.person }, id, reason);
  if (rejected.ok) await followGuardDirectory(parts, name.value);
  return rejected;
}
