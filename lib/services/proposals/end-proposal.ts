import { nextProposalState } from '@/lib/authority/proposal';
import type { Actor } from '@/lib/ledger/predicates/fields';
import type { ProposalRow } from '@/lib/ports/proposal-store';
import type { ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ProposalParts } from './proposal-parts';
import { endedInLog } from './standing-proposal';

type Ended = { readonly receipt: string };

/** Turns a proposal down; its proposer is told the reason. It only tightens, so a session with the role is enough. */
export const rejectProposal = (parts: ProposalParts, by: Actor, id: ProposalId, reason: string): Promise<Result<Ended>> =>
  endProposal(parts, by, id, 'reject', reason, () => true);

/** Its maker takes it back. Others learn nothing of it: `not_found`. */
export const withdrawProposal = (parts: ProposalParts, by: Actor, id: ProposalId): Promise<Result<Ended>> =>
  endProposal(parts, by, id, 'withdraw', null, (row) => row.maker_kind === by.kind && row.maker_id === by.id);

async function endProposal(parts: ProposalParts, by: Actor, id: ProposalId, event: 'reject' | 'withdraw', reason: string | null, mine: (row: ProposalRow) => boolean): Promise<Result<Ended>> {
  const [{ root }, seen] = [await parts.inForce.current(), await parts.proposals.find(id)];
  const ended = root && seen ? await endedInLog(parts, root.root, seen) : ok(null);
  if (!ended.ok && seen && mine(seen)) return ended;
  return await parts.transactor.withHead(async (tx, { now }): Promise<Result<Ended>> => {
    const row = await parts.proposals.find(id, tx);
    if (!row || !mine(row)) return fail('not_found', 'There is no such proposal.');
    const next = nextProposalState(row.state, { kind: event });
    if (!next.ok) return next;
    const outcome = event === 'reject' ? 'rejected' : 'withdrawn';
    const receipt = await parts.sign(
      'policy_rejected',
      now,
      { proposal: id, digest: row.digest, outcome, by, ...(reason === null ? {} : { reason }) },
      by.kind === 'person' ? { person: by.id } : by.kind === 'agent' ? { agent: by.id } : {},
    );
    const end = { ended_at: now, ended_by: by.id, ended_reason: reason, ended_receipt: receipt.id, revision: null, replaced_by: null };
    if (!(await parts.proposals.move(tx, id, row.state, next.value, end))) return fail('conflict', 'The proposal has moved on.');
    await parts.ledger.append(tx, [receipt]);
    await parts.events.publish(tx, [{ kind: 'proposal_changed', id }, { kind: 'log_grew', id: parts.workspace }]);
    return ok({ receipt: receipt.id });
  });
}
