import { isLive, nextProposalState } from '@/lib/authority/proposal';
import type { ProposalId } from '@/lib/shared/ids';
import { ok, type Result } from '@/lib/shared/result';

import { staleReceipt } from './outdate-proposals';
import { proposalBounds } from './proposal-bounds';
import type { ProposalParts } from './proposal-parts';
import { proposalTarget } from './proposal-targets';
import { endedInLog, standingProposal } from './standing-proposal';

const plane = { kind: 'service', id: 'plane' } as const;

/**
 * Ends, as stale, what was asked for until a time that has passed: nobody can sign it any more. One that says something else than its
 * receipts stays as it is, since nobody knows until when it was asked for. Any number of processes may do it at once, and one will.
 */
export function endsRunOut(parts: ProposalParts): () => Promise<void> {
  /** Texts never change, so each is read once; null: it has no end, or cannot be read. */
  const ends = new Map<ProposalId, string | null>();

  async function endOf(id: ProposalId): Promise<string | null> {
    const row = await parts.proposals.find(id);
    if (!row) return null;
    const target = proposalTarget(row.target);
    return target.ok ? (target.value.runsOutAt?.(parts, row) ?? null) : null;
  }

  return async () => {
    const live = (await parts.proposals.list('live', 2 * proposalBounds.live)).filter(({ target }) => target !== 'policy');
    for (const id of ends.keys()) if (!live.some((one) => one.id === id)) ends.delete(id);
    if (live.length === 0) return;
    const { now } = await parts.authority.position();
    for (const { id } of live) {
      const end = ends.get(id) ?? (await endOf(id));
      ends.set(id, end);
      if (end !== null && end <= now) await endOne(parts, id);
    }
  };
}

async function endOne(parts: ProposalParts, id: ProposalId): Promise<void> {
  const { root } = await parts.inForce.current();
  const standing = root && (await standingProposal(parts, root.root, id));
  if (!root || !standing?.ok || !(await endedInLog(parts, root.root, standing.value.row)).ok) return;
  await parts.transactor.withHead(async (tx, { now }): Promise<Result<null>> => {
    const row = await parts.proposals.find(id, tx);
    if (!row || !isLive(row.state)) return ok(null);
    const next = nextProposalState(row.state, { kind: 'outdate' });
    if (!next.ok) return next;
    const receipt = await staleReceipt(parts, row, now, plane);
    const end = { ended_at: now, ended_by: plane.id, ended_reason: null, ended_receipt: receipt.id, revision: null, replaced_by: null };
    if (!(await parts.proposals.move(tx, id, row.state, next.value, end))) return ok(null);
    await parts.ledger.append(tx, [receipt]);
    await parts.events.publish(tx, [{ kind: 'proposal_changed', id }, { kind: 'log_grew', id: parts.workspace }]);
    return ok(null);
  });
}
