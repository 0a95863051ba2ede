import { nextProposalState } from '@/lib/authority/proposal';
import type { SeenGuardDirectory, GuardDirectories } from '@/lib/ports/guard-directories';
import type { ListedProposal } from '@/lib/ports/proposal-store';
import { fail, ok, type Result } from '@/lib/shared/result';

import { applyProposal } from '../proposals/apply-proposal';
import { proposalBounds } from '../proposals/proposal-bounds';
import type { ProposalParts } from '../proposals/proposal-parts';
import { fileGuardProposal } from './file-guard-proposal';
import { directoryOf } from './guard-row';

const console = { kind: 'service', id: 'console' } as const;
/** Ended proposals that are looked through for one that was turned down and whose file is still there. */
const mostEnded = 500;

/**
 * Brings log and directory together, from whatever a crash, an owner at the command line or an agent left. Nothing is decided here: what
 * owners have signed is applied (its signatures verified again), what they turned down is turned down in the directory, what the directory ended
 * by itself ends here, and what is new is taken up. Run twice, it changes nothing the second time.
 */
export async function followGuardDirectory(parts: ProposalParts & { readonly guards: GuardDirectories }, name: string): Promise<Result<null>> {
  const looked = parts.guards.look(name);
  if (!looked.ok) return looked;
  const seen = looked.value;
  if (!seen.owned) return ok(null);
  const live = (await parts.proposals.list('live', 2 * proposalBounds.live)).filter((row) => row.target === 'allowlist' && directoryOf(row) === name);
  for (const row of live) {
    const followed = await followOne(parts, seen, name, row);
    if (!followed.ok) return followed;
  }
  const turnedDown = new Map((await parts.proposals.list('ended', mostEnded)).filter((row) => row.target === 'allowlist' && row.state === 'rejected' && directoryOf(row) === name).map((row) => [row.digest, row]));
  for (const waiting of seen.waiting) {
    const { id, base } = waiting.proposal;
    if (live.some((row) => row.digest === id)) continue;
    const rejected = turnedDown.get(id);
    if (rejected) {
      // Turned down in the console; a crash came before the directory was told, or it was dropped again in the instant between.
      const told = parts.guards.reject(name, id, rejected.end?.ended_reason ?? 'Rejected in the console.', rejected.end?.ended_at ?? rejected.proposed_at);
      if (!told.ok) return told;
    } else if (base.digest === seen.allowlist.digest && base.revision === seen.allowlist.revision && !seen.allowlist.permissions.includes(waiting.proposal.permission)) {
      const filed = await fileGuardProposal(parts, name, seen.allowlist, waiting);
      if (!filed.ok && filed.error.code !== 'conflict' && filed.error.code !== 'rate_limited') return filed;
    }
  }
  return ok(null);
}

/** One that waits here: what the directory says of it. */
async function followOne(parts: ProposalParts & { readonly guards: GuardDirectories }, seen: SeenGuardDirectory, name: string, row: ListedProposal): Promise<Result<null>> {
  const end = parts.guards.end(name, row.digest);
  if (!end.ok) return end;
  const receipt = end.value;
  if (receipt?.result === 'REJECTED') return await endHere(parts, row, 'rejected', receipt.reason);
  const inAllowlist = seen.allowlist.applied?.proposal === row.digest;
  if (receipt?.result === 'APPLIED' || inAllowlist) {
    // Applied with these signatures, by a process that died before it wrote so: written down now. Otherwise by the owner's own command.
    if (receipt?.signed === undefined ? row.state === 'signed' : receipt.signed.proposal === row.id) {
      const applied = await applyProposal(parts, console, row.id);
      if (applied.ok || applied.error.code === 'already_resolved') return ok(null);
      if (receipt?.signed !== undefined) return applied;
    }
    return await endHere(parts, row, 'stale', 'The owner of the directory applied it there, without a signature here.');
  }
  const waits = seen.waiting.find(({ proposal }) => proposal.id === row.digest);
  if (!waits) return await endHere(parts, row, 'withdrawn', 'Its file is no longer in the inbox.');
  if (row.base_digest !== seen.allowlist.digest || row.base_revision !== seen.allowlist.revision) return await endHere(parts, row, 'stale', `Revision ${String(seen.allowlist.revision)} of the allowlist is in force.`);
  // Signed, and not applied: a crash came in between, or its cool-off has ended. Too few signatures, or a cool-off that runs, leave it waiting.
  if (row.state === 'signed') await applyProposal(parts, console, row.id);
  return ok(null);
}

async function endHere(parts: ProposalParts, { id, digest }: ListedProposal, outcome: 'rejected' | 'withdrawn' | 'stale', reason: string): Promise<Result<null>> {
  return await parts.transactor.withHead(async (tx, { now }): Promise<Result<null>> => {
    const row = await parts.proposals.find(id, tx);
    const next = row && nextProposalState(row.state, { kind: ({ rejected: 'reject', withdrawn: 'withdraw', stale: 'outdate' } as const)[outcome] });
    // Another process was quicker.
    if (!row || !next?.ok) return ok(null);
    const receipt = await parts.sign('policy_rejected', now, { proposal: id, digest, outcome, reason: reason.slice(0, 4096), by: console }, {});
    const end = { ended_at: now, ended_by: console.id, ended_reason: reason, ended_receipt: receipt.id, revision: null, replaced_by: null };
    if (!(await parts.proposals.move(tx, id, row.state, next.value, end))) return fail('conflict', 'The proposal has moved on.');
    await parts.ledger.append(tx, [receipt]);
    await parts.events.publish(tx, [{ kind: 'proposal_changed', id }, { kind: 'log_grew', id: parts.workspace }]);
    return ok(null);
  });
}
