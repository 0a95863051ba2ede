import { envelopePayload, verifiedSigners, type Envelope, type VerifySignature } from '@/lib/shared/dsse';
import { fromBase64, type Sha256 } from '@/lib/shared/encoding';
import type { ApprovalId, Digest, KeyId, PersonId } from '@/lib/shared/ids';
import { isAtLeast } from '@/lib/shared/impact';
import type { KeyKind } from '@/lib/shared/keys';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import { basisDigest } from './basis';
import { checksOf } from './checks';
import { routedGroups } from './eligible-approvers';
import type { HeldAction } from './held-action';
import { parseVote } from './parse-vote';
import { separationOf, type Involvement } from './separation';
import { approvalView, renderer, viewDigest, viewLocale } from './view';
import { votePayloadType, type Approver, type VoteStatement } from './vote';

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

export type VoteContext = {
  /** What is held now: the basis is computed from it, never taken from the vote. */
  readonly held: HeldAction;
  /** The person as the roster in force lists them; undefined when it does not. */
  readonly approver: (person: PersonId) => Approver | undefined;
  /** Kinds of key that the trust root lets sign for this impact. */
  readonly keyKinds: readonly KeyKind[];
  /** The database's clock. */
  readonly now: Timestamp;
  readonly verify: VerifySignature;
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
  const { held, keyKinds, now } = context;
  const bytes = envelope.payloadType === votePayloadType ? envelopePayload(envelope) : undefined;
  const parsed = bytes && parseVote(bytes);
  if (!parsed?.ok || parsed.value.verdict !== 'approve') return fail('signature_invalid', 'The envelope does not hold an approval.', { cause: parsed });
  const vote = parsed.value;

  const approver = context.approver(vote.voter.person);
  if (!approver || approver.suspended) return fail('not_an_approver', 'The roster does not list you as an active person.');
  const key = approver.keys.find(({ id }) => id === vote.voter.key);
  const publicKey = key && fromBase64(key.public_key);
  if (!key || !publicKey) return fail('key_not_enrolled', 'The roster does not list this key for you.');
  const signers = await verifiedSigners(envelope, new Map([[key.id, publicKey]]), context.verify);
  if (envelope.signatures.length !== 1 || !signers.has(key.id)) return fail('signature_invalid', 'The signature does not verify.');
  if (key.kind !== vote.voter.key_kind) return fail('signature_invalid', 'The statement names another kind of key than the roster.');
  if (!keyKinds.includes(key.kind)) {
    return fail('key_kind_refused', `The trust root does not let a ${key.kind} key approve ${held.impact} impact.`, { fix: 'Use a stronger key.' });
  }

  const groups = routedGroups(approver, held.approvers.groups);
  if (groups.length === 0) return fail('not_an_approver', 'The request is routed to groups that you do not belong to.');
  const separation = separationOf(approver, held);
  if (separation.barred) return fail('separation_of_duties', whyBarred[separation.involvement]);

  const moved = faultOfContent(vote, context);
  if (moved) return fail('approval_stale', moved, { fix: 'Look at the request as it is now, and sign that.' });
  if (now >= held.expires_at) return fail('approval_expired', `The request expired at ${held.expires_at}.`);
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

const whyBarred: { readonly [I in Involvement]: string } = {
  none: '',
  requester: 'The agent acts for you, so you cannot approve this.',
  registrant: 'You registered this agent, so you cannot approve this.',
};

function faultOfContent(vote: VoteStatement, { held, sha256, otherRenderers }: VoteContext): string | undefined {
  if (vote.request !== held.approval) return 'The vote is for another request.';
  if (vote.basis_digest !== basisDigest(held, sha256)) return 'The request has changed since it was signed.';
  if (!drawnHere(vote)) return otherRenderers === 'uncompared' ? undefined : 'The vote was given on a screen of another renderer.';
  return vote.view.digest === viewDigest(approvalView(held), sha256) ? undefined : 'The vote was given on another view than this request has.';
}
