import { nextApprovalState } from '@/lib/approvals/approval-machine';
import { tallyQuorum } from '@/lib/approvals/quorum';
import type { VerifiedVote } from '@/lib/approvals/verify-vote';
import type { ApproveInput, VoteOutcome } from '@/lib/contracts/console/approvals';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { LockedHead, Tx } from '@/lib/ports/transaction';
import { parseEnvelope, payloadText, type Envelope } from '@/lib/shared/dsse';
import { err, fail, ok, type Result } from '@/lib/shared/result';

import { basisMoved } from './approval-basis-moved';
import { alreadyOver, countingVotes, judgesOf, judgeVote } from './approval-look';
import type { ConsoleParts } from './console-parts';
import { lookAtRequest, looks, movedSince, type RequestLook } from './look-at-request';
import { suspendedPeople } from './suspended-people';

/**
 * Casts a signed approval. When it completes the quorum every vote is judged again and the request becomes approved; the
 * plane then issues the permit. Failures: `not_found`, `already_resolved`, `already_voted`, `edit_pending`,
 * `approval_stale`, `ledger_broken`, and all of `verifyVote`.
 */
export async function approveRequest(parts: ConsoleParts, viewer: Viewer, input: ApproveInput): Promise<Result<VoteOutcome>> {
  const envelope = parseEnvelope(input.envelope);
  if (!envelope.ok) return envelope;
  for (let attempt = 0; attempt < looks; attempt++) {
    const look = await lookAtRequest(parts, viewer, input.approval, attempt > 0);
    if (!look.ok) return look;
    // Judged once outside, so that garbage never takes the lock.
    const early = await judgeAll(parts, viewer, envelope.value, look.value, await parts.reads.now());
    if (!early.ok) return early;
    const outcome = await parts.transactor.withHead((tx, head) => vote(parts, viewer, envelope.value, input.envelope, look.value, tx, head));
    if (outcome !== 'look again') return outcome;
  }
  return fail('unavailable', 'Too much is changing at once. Your vote was not recorded.', { fix: 'Sign again.' });
}

/** The new vote and every earlier one, against roster, root and clock of now. */
async function judgeAll(
  parts: ConsoleParts,
  viewer: Viewer,
  envelope: Envelope,
  { inForce, row, request, state, labels }: RequestLook,
  now: string,
  tx?: Tx,
): Promise<Result<{ readonly mine: VerifiedVote; readonly counting: readonly VerifiedVote[] }>> {
  const votes = await parts.approvals.votes(row.id, tx);
  const suspended = await suspendedPeople(parts.people, [viewer.person, ...votes.map(({ person }) => person)], tx);
  const judges = judgesOf(inForce, suspended);
  if (!judges.ok) return judges;
  const mine = await judgeVote(envelope, request.held, judges.value, state, now, parts.cryptography);
  if (!mine.ok) return mine;
  // Signed by a roster key, but sent by somebody else's session: a vote is cast by the person who signed it.
  if (mine.value.person !== viewer.person) return fail('signature_invalid', 'The vote is signed by somebody else than you.');
  const moved = basisMoved(request.held, inForce, labels);
  if (moved !== null) return fail('approval_stale', moved, { fix: 'It has to be decided again under what holds now.' });
  if (votes.some(({ person }) => person === viewer.person)) return fail('already_voted', 'You have voted on this request.');
  const earlier = await countingVotes(votes, request.held, judges.value, state, now, parts.cryptography);
  return ok({ mine: mine.value, counting: [...earlier, mine.value] });
}

async function vote(
  parts: ConsoleParts,
  viewer: Viewer,
  envelope: Envelope,
  envelopeText: string,
  look: RequestLook,
  tx: Tx,
  head: LockedHead,
): Promise<Result<VoteOutcome> | 'look again'> {
  const row = await parts.approvals.find(look.row.id, tx);
  if (!row) return fail('not_found', 'There is no such request.');
  if (row.state !== 'pending') return err(alreadyOver(row, look.inForce.roster?.roster ?? null));
  const cast = await parts.approvals.votes(row.id, tx);
  if (movedSince(look, row, head) || cast.some(({ person }) => !look.receipts.has(person))) return 'look again';
  const judged = await judgeAll(parts, viewer, envelope, look, head.now, tx);
  if (!judged.ok) return judged;
  const { mine, counting } = judged.value;
  const tally = tallyQuorum(counting, look.request.held, row.basis_digest);
  const next = nextApprovalState(look.state, { kind: 'approve', now: head.now, basis_digest: row.basis_digest, tally });
  if (!next.ok) return next;
  const completes = next.value.status === 'approved';
  const { statement } = mine;
  const stored = {
    approval: row.id, person: viewer.person, verdict: 'approve', reason: statement.reason ?? null,
    statement: payloadText(envelope) ?? '', envelope: envelopeText, key: { id: mine.key, kind: mine.key_kind }, at: head.now,
  } as const;
  if (!(await parts.approvals.addVote(tx, stored))) return fail('already_voted', 'You have voted on this request.');
  const receipts = await receiptsOf(parts, look, mine, envelope, completes ? counting : null, head.now);
  if (completes) await parts.approvals.resolve(tx, row.id, { state: 'approved', at: head.now, by: viewer.person, resolution: null });
  await parts.ledger.append(tx, receipts);
  await parts.events.publish(tx, [{ kind: 'approval_changed', id: row.id }, { kind: 'action_changed', id: row.action }, { kind: 'log_grew', id: parts.workspace }]);
  return ok({
    state: next.value.status,
    quorum: { needed: tally.needed, given: tally.given.length },
    receipts: receipts.map(({ id }) => id),
  });
}

/** The vote's receipt, and the resolution's when `completes` holds the votes that make the quorum. */
async function receiptsOf(
  parts: ConsoleParts,
  { request, row, receipts }: RequestLook,
  mine: VerifiedVote,
  envelope: Envelope,
  completes: readonly VerifiedVote[] | null,
  at: string,
): Promise<readonly SignedReceipt[]> {
  const { held, requested } = request;
  const { statement } = mine;
  const columns = {
    session: held.session, action: held.action_id, agent: held.identity.agent, person: mine.person, tool: held.action.tool, operation: held.action.operation,
  };
  const voted = await parts.sign(
    'approval_voted',
    at,
    {
      approval: row.id, action: requested.action, person: mine.person, verdict: 'approve', basis_digest: row.basis_digest,
      view_digest: statement.view.digest, statement: payloadText(envelope) ?? '', envelope, key: { id: mine.key, kind: mine.key_kind },
      ...(statement.reason === undefined ? {} : { reason: statement.reason }),
    },
    columns,
  );
  if (completes === null) return [voted];
  const votes = completes.flatMap(({ person }) => (person === mine.person ? voted.id : (receipts.get(person) ?? [])));
  const resolved = await parts.sign(
    'approval_resolved',
    at,
    { approval: row.id, action: requested.action, state: 'approved', votes, by: { kind: 'person', id: mine.person } },
    columns,
  );
  return [voted, resolved];
}
