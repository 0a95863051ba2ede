import { nextProposalState } from '@/lib/authority/proposal';
import type { Actor } from '@/lib/ledger/predicates/fields';
import { signedAt } from '@/lib/services/enough-signed-at';
import { later } from '@/lib/services/later';
import { authorityToBuildOn } from '@/lib/services/console/roster-change-facts';
import type { ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { chainOfProposals } from './chain-of-proposals';
import { mergedSignatures } from './merged-signatures';
import type { ProposalParts } from './proposal-parts';

/**
 * Puts into force what enough owners have signed. Every signature is verified here again, the base is compared again, and the loosening
 * of what agents may do waits for its cool-off. Failures: `policy_signers_too_few`, `cool_off_runs`, `policy_base_changed`,
 * `already_resolved`, and those of `chainOfProposals`.
 */
export async function applyProposal(parts: ProposalParts, by: Actor, id: ProposalId): Promise<Result<{ readonly revision: number | null }>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const { root } = authority.value;
  const chain = await chainOfProposals(parts, root, await parts.inForce.current(), [id]);
  if (!chain.ok) return chain;
  const [proposal] = chain.value;
  if (!proposal) return fail('not_found', 'There is no such proposal.');
  const { row, proposed, proof, documents, target, state } = proposal;
  const needed = target.neededSigners(root, proof.change);
  const rows = await parts.proposals.signatures([id]);
  const merged = await mergedSignatures(rows, documents, proof.proof_digest, root, needed, proposed.not_counted ?? [], parts.cryptography);
  const next = nextProposalState(state, { kind: 'apply', counted: merged.counted.length, needed });
  if (!next.ok) return next;
  if (root.cool_off_seconds > 0 && proof.change !== 'tighten') {
    // Rows say too when somebody signed, and can be dated back; receipts cannot.
    const signed = { proposal: id, digest: row.digest, base_digest: row.base_digest, signers: merged.signers, notCounted: proposed.not_counted ?? [], needed };
    const cool = coolOff(root.cool_off_seconds, await signedAt(parts.log, root, signed, parts.cryptography), (await parts.authority.position()).now);
    if (!cool.ok) return cool;
  }
  return await target.apply(parts, by, { row, proposed, proof, envelopes: merged.envelopes, signers: merged.signers });
}

/** When what was signed may come into force, ISO, UTC; null: at once. It runs from the log time of the last signature that was needed. */
export const appliesFrom = (change: string, coolOffSeconds: number, enoughAt: string | null): string | null =>
  change === 'tighten' || coolOffSeconds === 0 || enoughAt === null ? null : later(enoughAt, coolOffSeconds);

function coolOff(seconds: number, enoughAt: string | null, now: string): Result<null> {
  if (enoughAt === null) return fail('cool_off_runs', 'No receipts say when enough owners signed it, so its cool-off has not begun.', { fix: 'Run "countersign fsck".' });
  const from = later(enoughAt, seconds);
  return now >= from ? ok(null) : fail('cool_off_runs', `It is signed, and may come into force from ${from} on.`, { fix: 'Apply it then; until then it may be rejected.' });
}
