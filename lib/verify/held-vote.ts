import type { HeldAction } from '@/lib/approvals/held-action';
import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import { verifyVote } from '@/lib/approvals/verify-vote';
import { personById } from '@/lib/authority/roster-lookup';
import type { Roster, RosterPerson } from '@/lib/authority/roster';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { Json } from '@/lib/shared/json';

/**
 * The same judgement that the console made when the vote was cast, over everything that was known then: the basis is computed
 * anew and the approver's screen is drawn again, and both have to be those that the vote signed. That it is what the request asks has
 * been judged before.
 */
export async function faultOfHeldVote(
  content: Json,
  request: ReceiptPredicate<'approval_requested'>,
  vote: ReceiptPredicate<'approval_voted'>,
  authority: { readonly root: TrustRoot; readonly roster: Roster },
  { sha256, verify }: Cryptography,
): Promise<string | undefined> {
  const held = parseHeldAction(content);
  if (!held.ok) return 'What was held cannot be read.';
  if (!vote.envelope) return undefined;
  const verified = await verifyVote(vote.envelope, {
    held: held.value,
    approver: (person) => routed(personById(authority.roster, person), held.value, request),
    keyKinds: authority.root.key_kinds[held.value.impact],
    // An extension moved the end: that the vote was in time by it has been judged already.
    now: request.expires_at > held.value.expires_at ? held.value.held_at : vote.at,
    verify,
    sha256,
    otherRenderers: 'uncompared',
  });
  return verified.ok ? undefined : verified.error.detail;
}

/** Somebody whom an escalation asked counts as if they had been asked at first; that they were asked has been judged already. */
function routed(person: RosterPerson | undefined, { approvers }: HeldAction, request: ReceiptPredicate<'approval_requested'>): RosterPerson | undefined {
  const escalated = person?.groups.some((group) => request.approvers.includes(group)) === true && !approvers.all_groups;
  return person && escalated ? { ...person, groups: [...person.groups, ...approvers.groups] } : person;
}
