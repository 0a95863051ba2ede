import { envelopePayload, type Envelope } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import type { ApprovalId, Digest, KeyId, PersonId } from '@/lib/shared/ids';
import { isAtLeast } from '@/lib/shared/impact';
import type { KeyKind } from '@/lib/shared/keys';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import type { RequestTerms } from './approval-state';
import { signedByApprover, type ApproverSignatureContext } from './approver-signature';
import { basisDigest } from './basis';
import { checksOf } from './checks';
import { routedGroups } from './eligible-approvers';
import type { HeldAction } from './held-action';
import { parseVote } from './parse-vote';
import { separationOf, whyBarred, type Involvement } from './separation';
import { approvalView, renderer, viewDigest, viewLocale } from './view';
import { votePayloadType, type VoteStatement } from './vote';

/** An approval that counts, as `verifyVote` alone makes it. */
export type VerifiedVote = {
  readonly request: ApprovalId;
  readonly basis_digest: Digest;
  readonly person: PersonId;
  /** The groups of the approver rule that the person stands for. */
  readonly groups: readonly string[];
  readonly key: KeyId;
  readonly key_kind: KeyKind;
  /** Not `none` only where the policy switches separation of duties off; receipts show it. */
  readonly involvement: Involvement;
  readonly statement: VoteStatement;
};

export type VoteContext = ApproverSignatureContext & {
  /** What is held now: the basis is computed from it, never taken from the vote. */
  readonly held: HeldAction;
  /** The request as it stands, proved; left out: as it was made. */
  readonly terms?: RequestTerms;
  /** The database's clock. */
  readonly now: Timestamp;
  readonly sha256: Sha256;
  /** For reading old votes: a view of a renderer that this version does not have is left uncompared instead of refused. */
  readonly otherRenderers?: 'uncompared';
};

/**
 * Decides whether a signed approval counts. Run when it is cast and, for every vote, again when the quorum is met.
 *
 * Refusals: `signature_invalid`, `key_not_enrolled`, `key_kind_refused`, `not_an_approver`, `separation_of_duties`,
 * `approval_stale` (another request, basis or view), `approval_expired`, `checks_missing`, `reason_required`.
 */
export async function verifyVote(envelope: Envelope, context: VoteContext): Promise<Result<VerifiedVote>> {
  const { held, now, terms: { asked, expires_at } = { asked: held.approvers.groups, expires_at: held.expires_at } } = context;
  const bytes = envelope.payloadType === votePayloadType ? envelopePayload(envelope) : undefined;
  const parsed = bytes && parseVote(bytes);
  if (!parsed?.ok || parsed.value.verdict !== 'approve') return fail('signature_invalid', 'The envelope does not hold an approval.', { cause: parsed });
  const vote = parsed.value;

  const signed = await signedByApprover(envelope, { person: vote.voter.person, says: vote.voter }, held.impact, context);
  if (!signed.ok) return signed;
  const { approver, key } = signed.value;
  const groups = routedGroups(approver, asked);
  if (groups.length === 0) return fail('not_an_approver', 'The request is routed to groups that you do not belong to.');
  const separation = separationOf(approver, held);
  if (separation.barred) return fail('separation_of_duties', whyBarred[separation.involvement]);

  const moved = faultOfContent(vote, context);
  if (moved) return fail('approval_stale', moved, { fix: 'Look at the request as it is now, and sign that.' });
  if (now >= expires_at) return fail('approval_expired', `The request expired at ${expires_at}.`);
  const missing = checksOf(held).filter(({ id }) => !vote.checks.includes(id));
  if (missing.length > 0) return fail('checks_missing', `Not ticked: ${missing.map(({ title }) => title).join(' ')}`);
  if (isAtLeast(held.impact, 'high') && !vote.reason?.trim()) return fail('reason_required', `Approving ${held.impact} impact needs a reason.`);

  return ok({
    request: vote.request,
    basis_digest: vote.basis_digest,
    person: approver.id,
    groups,
    key: key.id,
    key_kind: key.kind,
    involvement: separation.involvement,
    statement: vote,
  });
}

/** Whether the view that the vote covers is one that this version can draw again. */
export const drawnHere = ({ view }: VoteStatement): boolean => view.renderer === renderer && view.locale === viewLocale;

function faultOfContent(vote: VoteStatement, { held, sha256, otherRenderers }: VoteContext): string | undefined {
  if (vote.request !== held.approval) return 'The vote is for another request.';
  if (vote.basis_digest !== basisDigest(held, sha256)) return 'The request has changed since it was signed.';
  if (!drawnHere(vote)) return otherRenderers === 'uncompared' ? undefined : 'The vote was given on a screen of another renderer.';
  return vote.view.digest === viewDigest(approvalView(held), sha256) ? undefined : 'The vote was given on another view than this request has.';
}
