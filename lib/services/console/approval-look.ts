import type { RequestTerms } from '@/lib/approvals/approval-state';
import type { Approver } from '@/lib/approvals/vote';
import { verifyVote, type VerifiedVote } from '@/lib/approvals/verify-vote';
import type { HeldAction } from '@/lib/approvals/held-action';
import { allowedKeyKinds } from '@/lib/authority/key-kinds';
import { personById } from '@/lib/authority/roster-lookup';
import type { Roster } from '@/lib/authority/roster';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { ApprovalRow, VoteRow } from '@/lib/ports/approval-store';
import type { Envelope } from '@/lib/shared/dsse';
import { parseEnvelope } from '@/lib/shared/dsse';
import { errorCodes } from '@/lib/shared/error-codes';
import type { ActionId, PersonId } from '@/lib/shared/ids';
import { fail, ok, type Fault, type Result } from '@/lib/shared/result';
import type { InForce } from '@/lib/services/in-force';

/** The authority that votes are judged by, once it is known that nothing is denied. */
export type Judges = { readonly root: TrustRoot; readonly roster: Roster; readonly suspended: ReadonlySet<PersonId> };

/** Nobody approves while the process itself may not act: its code is the answer. */
export function judgesOf(inForce: InForce, suspended: ReadonlySet<PersonId>): Result<Judges> {
  const { denied, root, roster } = inForce;
  if (denied !== null || !root || !roster) {
    const code = denied ?? 'policy_unsigned';
    return fail(code, inForce.refusal?.detail ?? errorCodes[code].title);
  }
  if (inForce.switches.some(({ scope }) => scope === 'all')) return fail('kill_switch', 'The kill switch is on for everything.');
  return ok({ root: root.root, roster: roster.roster, suspended: new Set([...suspended, ...(inForce.suspended ?? [])]) });
}

/** As the signed roster lists them; a suspension in the table counts as well, because it only tightens. */
export function approverOf({ roster, suspended }: Judges, id: PersonId): Approver | undefined {
  const person = personById(roster, id);
  return person && (suspended.has(id) ? { ...person, suspended: true } : person);
}

export const judgeVote = (
  envelope: Envelope,
  held: HeldAction,
  judges: Judges,
  terms: RequestTerms,
  now: string,
  cryptography: Cryptography,
): Promise<Result<VerifiedVote>> =>
  verifyVote(envelope, {
    held,
    approver: (id) => approverOf(judges, id),
    keyKinds: allowedKeyKinds(judges.root, held.impact),
    terms,
    now,
    ...cryptography,
  });

/** Stored approvals that still count, judged again from their envelopes: nothing beside a signature is believed. */
export async function countingVotes(
  votes: readonly VoteRow[],
  held: HeldAction,
  judges: Judges,
  terms: RequestTerms,
  now: string,
  cryptography: Cryptography,
): Promise<readonly VerifiedVote[]> {
  const counting: VerifiedVote[] = [];
  for (const { verdict, envelope: text, person } of votes) {
    const envelope = verdict === 'approve' && text !== null ? parseEnvelope(text) : undefined;
    const vote = envelope?.ok ? await judgeVote(envelope.value, held, judges, terms, now, cryptography) : undefined;
    if (vote?.ok && vote.value.person === person) counting.push(vote.value);
  }
  return counting;
}

/** Why a request that somebody has edited is not decided as it was: who did, and what it goes on as. */
export function alreadyEdited({ by, action }: { readonly by: PersonId; readonly action: ActionId }, roster: Roster | null): Fault {
  const name = roster?.people.find(({ id }) => id === by)?.name ?? by;
  return { code: 'edit_pending', detail: `${name} has changed it: it goes on as ${action}.` };
}

/** Why a request that is over cannot be decided again: who won, and when. */
export function alreadyOver(row: ApprovalRow, roster: Roster | null): Fault {
  const by = row.resolved_by ?? '';
  const name = roster?.people.find(({ id }) => id === by)?.name ?? by;
  const detail: { readonly [State in ApprovalRow['state']]: string } = {
    pending: 'The request is open.',
    approved: `Approved, ${name} completing it, at ${row.resolved_at ?? ''}.`,
    denied: `Denied by ${name} at ${row.resolved_at ?? ''}.`,
    expired: `Nobody approved in time: it expired at ${row.expires_at}.`,
    withdrawn: `Withdrawn at ${row.resolved_at ?? ''}.`,
    superseded: `Replaced by another request at ${row.resolved_at ?? ''}.`,
    stale: `It had changed and was decided again at ${row.resolved_at ?? ''}.`,
  };
  return { code: row.state === 'expired' ? 'approval_expired' : 'already_resolved', detail: detail[row.state] };
}
