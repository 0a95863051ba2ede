import { basisDigest } from './basis';
import type { Sha256 } from '@/lib/shared/encoding';
import type { Envelope } from '@/lib/shared/dsse';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import type { RequestTerms } from './approval-state';
import { editPayloadType, type EditStatement } from './edit';
import { isRouted } from './eligible-approvers';
import type { HeldAction } from './held-action';
import { parseEdit } from './parse-edit';
import { separationOf, whyBarred } from './separation';
import { readSigned, verifySignatory, type SignatoryContext } from './verify-signatory';

export type EditContext = SignatoryContext & {
  readonly held: HeldAction;
  /** The request as it stands. */
  readonly terms: RequestTerms;
  readonly sha256: Sha256;
  /** The database's clock. */
  readonly now: Timestamp;
};

/**
 * Whether a signed edit counts. What somebody types counts as a person's word, which is more than an agent's: so it needs a key, and who
 * may not approve may not edit. Run when it is made and by the plane before it decides. Refusals: those of `verifySignatory`,
 * `not_an_approver`, `separation_of_duties`, `approval_stale` (another request, or it has changed), `approval_expired`.
 */
export async function verifyEdit(envelope: Envelope, { held, terms, sha256, now, ...signatories }: EditContext): Promise<Result<EditStatement>> {
  const read = readSigned(envelope, editPayloadType, parseEdit);
  if (!read.ok) return read;
  const { request, basis_digest, signer } = read.value;
  const person = await verifySignatory(envelope, signer, signatories);
  if (!person.ok) return person;
  if (!isRouted(person.value, signer.person, terms.asked)) return fail('not_an_approver', 'The request is not routed to you.');
  const separation = separationOf(person.value, held);
  if (separation.barred) return fail('separation_of_duties', whyBarred[separation.involvement]);
  if (request !== held.approval || basis_digest !== basisDigest(held, sha256)) return fail('approval_stale', 'The edit is of another request, or that has changed since it was signed.');
  if (now >= terms.expires_at) return fail('approval_expired', `The request expired at ${terms.expires_at}.`);
  return ok(read.value);
}
