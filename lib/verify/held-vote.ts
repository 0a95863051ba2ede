import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import { verifyVote } from '@/lib/approvals/verify-vote';
import { personById } from '@/lib/authority/roster-lookup';
import type { Roster } from '@/lib/authority/roster';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { Json } from '@/lib/shared/json';

/**
 * `request` as it stood then. The same judgement that the console made when the vote was cast, over everything that was known then: the basis is computed
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
    approver: (person) => personById(authority.roster, person),
    keyKinds: authority.root.key_kinds[held.value.impact],
    terms: { asked: request.approvers, expires_at: request.expires_at },
    now: vote.at,
    verify,
    sha256,
    otherRenderers: 'uncompared',
  });
  return verified.ok ? undefined : verified.error.detail;
}
