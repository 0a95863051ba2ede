import type { ConsoleParts } from '@/lib/services/console/console-parts';
import type { ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

type Parts = Pick<ConsoleParts, 'proposals' | 'proofJobs' | 'transactor' | 'events'>;

/** Asks for a proof anew: after a crash, a cancellation, or to have later decisions in it. Failures: `not_found`, `already_resolved`, `conflict` (signed, or being worked on). */
export async function requestProof(parts: Parts, id: ProposalId): Promise<Result<null>> {
  const row = await parts.proposals.find(id);
  if (row?.target !== 'policy') return fail('not_found', 'There is no such proposal for a policy.');
  if (row.state === 'signed') return fail('conflict', 'Owners have signed it with the proof that it has.');
  if (row.state !== 'open') return fail('already_resolved', `The proposal is ${row.state} already.`);
  if (!(await parts.proofJobs.ask(id))) return fail('conflict', 'It is being worked on already.');
  await tell(parts, id);
  return ok(null);
}

/** Failures: `conflict`, when nothing of it runs. What was proved before stays. */
export async function cancelProof(parts: Parts, id: ProposalId): Promise<Result<null>> {
  if (!(await parts.proofJobs.askToCancel(id))) return fail('conflict', 'Nobody works on it.');
  await tell(parts, id);
  return ok(null);
}

const tell = ({ transactor, events }: Parts, id: ProposalId): Promise<void> => transactor.withHead((tx) => events.publish(tx, [{ kind: 'proposal_changed', id }]));
