import type { RevisionReference } from '@/lib/authority/policy-revision';
import type { ProposalStep } from '@/lib/authority/owner-statements';
import { isLive } from '@/lib/authority/proposal';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { InForce } from '@/lib/services/in-force';
import type { ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ProposalParts } from './proposal-parts';
import type { DocumentToBeSigned, ProposalTarget, ProvedProposal } from './proposal-target';
import { proposalTarget } from './proposal-targets';
import { endedInLog, standingProposal } from './standing-proposal';

export type ChainStep = ProvedProposal & {
  readonly target: ProposalTarget;
  readonly step: ProposalStep;
  readonly documents: readonly DocumentToBeSigned[];
  readonly state: 'open' | 'signed';
};

/**
 * Proposals in the order in which they are to be signed and applied, each proved and resting on what is in force or on the one before.
 * Failures: `policy_base_changed` (the base moved: look at it again on top of what is in force), `proposal_not_proved`,
 * `proposal_not_applicable`, `already_resolved`, `proposal_altered`, `not_found`, and what a target says of what ran out (`grant_invalid`).
 */
export async function chainOfProposals(parts: ProposalParts, root: TrustRoot, inForce: InForce, ids: readonly ProposalId[]): Promise<Result<readonly ChainStep[]>> {
  const steps: ChainStep[] = [];
  // Policies follow each other; what replaces nothing (a grant) is signed by itself.
  let base: RevisionReference | null | undefined;
  for (const id of ids) {
    const standing = await standingProposal(parts, root, id);
    if (!standing.ok) return standing;
    const { row, proposed, proof } = standing.value;
    const target = proposalTarget(row.target);
    if (!target.ok) return target;
    if (!isLive(row.state)) return fail('already_resolved', `The proposal is ${row.state} already.`);
    const ended = inForce.ended?.has(id) === true ? fail('already_resolved', 'The log says that the proposal was turned down.') : await endedInLog(parts, root, row);
    if (!ended.ok) return ended;
    const stands = target.value.stands?.(parts, row, inForce, (await parts.authority.position()).now);
    if (stands?.ok === false) return stands;
    if (ids.length > 1 && row.target !== 'policy') return fail('invalid_input', `A proposal for a ${row.target} is signed by itself.`);
    if (row.target === 'policy') {
      base = base === undefined ? target.value.base(inForce) : base;
      if ((base?.revision ?? null) !== row.base_revision || (base?.digest ?? null) !== row.base_digest) {
        return fail('policy_base_changed', `${id} was written on ${row.base_revision === null ? 'nothing' : `revision ${row.base_revision}`}, and ${base === null ? 'nothing is' : `revision ${base.revision} is`} what it would replace.`, { fix: 'Rebase it and look at it again.' });
      }
      base = { revision: (row.base_revision ?? 0) + 1, digest: row.digest };
    }
    if (!proof) return fail('proposal_not_proved', 'It is still being proved.', { fix: 'Wait until its proof is there.' });
    if (!proof.applicable) return fail('proposal_not_applicable', `${proof.tests.failed} tests and ${proof.lint.errors} findings of the linter are red.`, { fix: 'Propose a text without them.' });
    const proved: ProvedProposal = { row, proposed, proof };
    steps.push({
      ...proved, target: target.value, state: row.state === 'signed' ? 'signed' : 'open', documents: target.value.documents(parts, proved),
      step: { proposal: id, base_digest: row.base_digest, digest: row.digest, class: proof.change, proof_digest: proof.proof_digest },
    });
  }
  return ok(steps);
}
