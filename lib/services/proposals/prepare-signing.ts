import { statementPayload, statementTypes } from '@/lib/authority/owner-statements';
import type { PreparedSigning } from '@/lib/contracts/console/proposals';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { toSign } from '@/lib/services/console/prepare-set-up';
import { authorityToBuildOn } from '@/lib/services/console/roster-change-facts';
import type { ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { chainOfProposals, type ChainStep } from './chain-of-proposals';
import { mergedSignatures } from './merged-signatures';

/**
 * What an owner signs to put these proposals into force in this order: one statement over all steps, and for each what takes effect.
 * Nothing is stored. Failures: `forbidden` (no owner), and those of `chainOfProposals`.
 */
export async function prepareSigning(parts: ConsoleParts, viewer: Viewer, ids: readonly ProposalId[]): Promise<Result<PreparedSigning>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const { root } = authority.value;
  if (!root.owners.some(({ person }) => person === viewer.person)) return fail('forbidden', 'Only owners that the trust root lists sign proposals.');
  const chain = await chainOfProposals(parts, root, await parts.inForce.current(), ids);
  if (!chain.ok) return chain;
  const bytes = statementPayload('proposal_signature', parts.workspace, { steps: chain.value.map(({ step }) => step) }, await parts.reads.now());
  const rows = await parts.proposals.signatures(ids);
  const steps = await Promise.all(
    chain.value.map(async ({ row, proposed, proof, documents, target, step }: ChainStep): Promise<PreparedSigning['steps'][number]> => {
      const needed = target.neededSigners(root, proof.change);
      const notCounted = proposed.not_counted ?? [];
      const others = rows.filter(({ proposal, person }) => proposal === row.id && person !== viewer.person);
      const { counted } = await mergedSignatures(others, documents, step.proof_digest, root, needed, notCounted, parts.cryptography);
      const hand = notCounted.includes(viewer.person);
      return {
        proposal: row.id, digest: row.digest, change: proof.change, needed, counted: counted.length, counts: needed < 2 || !hand, self_signed: hand,
        documents: documents.map(toSign),
      };
    }),
  );
  return ok({ statement: toSign({ payload_type: statementTypes.proposal_signature, bytes }), steps });
}
