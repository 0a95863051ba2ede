import { tallyQuorum, type QuorumTally } from '@/lib/approvals/quorum';
import type { ApprovalRow, ApprovalStore } from '@/lib/ports/approval-store';
import type { PeopleStore } from '@/lib/ports/people-store';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { InForce } from '@/lib/services/in-force';

import { countingVotes, judgesOf } from './approval-look';
import { proveHeld, type HeldRequest } from './held-request';
import { loggedResolution } from './logged-resolution';
import { receiptsOfAction } from './receipts-of-action';
import { requestState, type StateParts } from './request-state';
import { suspendedPeople } from './suspended-people';

export type ProvedApproval = HeldRequest & { readonly tally: QuorumTally };

/**
 * Whether a row that says "approved" really was: the request is the one its receipt states, the log says that it ended
 * approved, and enough signed votes still cover it. Whoever issues a permit asks this; the row's own word is worth
 * nothing. Votes are judged at the time of that end, since votes that came in time stay good. Failures: `ledger_broken`,
 * `signature_invalid` (too few votes verify), and why nothing may be decided.
 */
export async function proveApproved(
  parts: StateParts & { readonly approvals: Pick<ApprovalStore, 'votes'>; readonly people: Pick<PeopleStore, 'byId'> },
  inForce: InForce,
  row: ApprovalRow,
): Promise<Result<ProvedApproval>> {
  const votes = await parts.approvals.votes(row.id);
  const suspended = await suspendedPeople(parts.people, votes.map(({ person }) => person));
  const judges = judgesOf(inForce, suspended);
  if (!judges.ok) return judges;
  if (inForce.ended?.has(row.id) === true || inForce.ended?.has(row.action) === true) return fail('ledger_broken', `Request ${row.id} was denied or taken back: the log says so.`, { fix: 'Run "countersign fsck".' });
  const receipts = await receiptsOfAction(parts.log, row.action);
  const request = await proveHeld(row, receipts, judges.value.root, parts.cryptography);
  if (!request.ok) return request;
  const resolution = await loggedResolution(row, receipts, judges.value.root, parts.cryptography);
  if (!resolution.ok) return resolution;
  if (resolution.value?.state !== 'approved') {
    return fail('ledger_broken', `Request ${row.id} was not approved: the log says ${resolution.value?.state ?? 'nothing of its end'}.`, { fix: 'Run "countersign fsck".' });
  }
  const { held } = request.value;
  const state = await requestState(parts, request.value, receipts, judges.value.root);
  if (!state.ok) return state;
  if (state.value.edited) return fail('ledger_broken', `Request ${row.id} was edited: nobody could approve it as it was.`, { fix: 'Run "countersign fsck".' });
  const counting = await countingVotes(votes, held, judges.value, state.value, resolution.value.at, parts.cryptography);
  const tally = tallyQuorum(counting, held, row.basis_digest);
  if (!tally.met) return fail('signature_invalid', `${tally.given.length} of ${tally.needed} needed votes on request ${row.id} verify.`);
  return ok({ ...request.value, tally });
}
