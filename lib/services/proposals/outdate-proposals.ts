import type { Actor } from '@/lib/ledger/predicates/fields';
import type { RevisionReference } from '@/lib/authority/policy-revision';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { ListedProposal } from '@/lib/ports/proposal-store';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { Tx } from '@/lib/ports/transaction';
import type { ProposalId } from '@/lib/shared/ids';
import { ok } from '@/lib/shared/result';

import { proposalBounds } from './proposal-bounds';
import type { ProposalParts } from './proposal-parts';
import { endsInLog } from './standing-proposal';

type Based = Pick<ListedProposal, 'id' | 'target' | 'base_revision' | 'base_digest' | 'digest'>;

/**
 * Which of the live proposals for a policy still rest on something: on what is in force, or on another live one that does and that would
 * become the revision they name. The others are stale.
 */
export function restingProposals(live: readonly Based[], inForce: RevisionReference | null): ReadonlySet<ProposalId> {
  const resting = new Set<ProposalId>();
  const rests = ({ base_revision, base_digest }: Based): boolean =>
    base_revision === (inForce?.revision ?? null) && base_digest === (inForce?.digest ?? null) ||
    live.some((one) => resting.has(one.id) && one.digest === base_digest && (one.base_revision ?? 0) + 1 === base_revision);
  for (let before = -1; before !== resting.size;) {
    before = resting.size;
    for (const one of live) if (one.target === 'policy' && rests(one)) resting.add(one.id);
  }
  return resting;
}

/** Live rows that the log says have ended: somebody set them back. Looked for before the lock, because it takes long. */
export async function setBackRows(parts: Pick<ProposalParts, 'proposals' | 'log' | 'cryptography'>, root: TrustRoot): Promise<ReadonlySet<string>> {
  const live = await parts.proposals.list('live', 2 * proposalBounds.live);
  const oldest = live.at(-1)?.proposed_at;
  const ended = oldest === undefined ? ok(new Set<string>()) : await endsInLog(parts, root, oldest);
  return ended.ok ? ended.value : new Set();
}

/** Ends, under the head lock, whatever was written on a text that is not in force any more. Gives the receipts to append. */
export async function outdateProposals(parts: Pick<ProposalParts, 'proposals' | 'sign'>, tx: Tx, now: string, inForce: RevisionReference | null, by: Actor, setBack: ReadonlySet<string>): Promise<readonly SignedReceipt[]> {
  const live = await parts.proposals.list('live', 2 * proposalBounds.live, tx);
  const resting = restingProposals(live, inForce);
  const receipts: SignedReceipt[] = [];
  for (const row of live) {
    if (row.target !== 'policy' || resting.has(row.id) || setBack.has(row.id)) continue;
    const receipt = await staleReceipt(parts, row, now, by);
    const moved = await parts.proposals.move(tx, row.id, row.state, 'stale', { ended_at: now, ended_by: by.id, ended_reason: null, ended_receipt: receipt.id, revision: null, replaced_by: null });
    if (moved) receipts.push(receipt);
  }
  return receipts;
}

/** It ended because what it rests on is gone: the text that it was written on, or the time that it asks for. */
export const staleReceipt = ({ sign }: Pick<ProposalParts, 'sign'>, { id, digest }: Pick<ListedProposal, 'id' | 'digest'>, now: string, by: Actor): Promise<SignedReceipt> =>
  sign('policy_rejected', now, { proposal: id, digest, outcome: 'stale', by }, by.kind === 'person' ? { person: by.id } : {});
