import { envelopePayload, preAuthenticationEncoding, type Envelope, type VerifySignature } from '@/lib/shared/dsse';
import { fromBase64 } from '@/lib/shared/encoding';
import type { PersonId } from '@/lib/shared/ids';

import type { KeyPurpose, TrustRoot } from './trust-root';

/** What the signatures of an envelope are worth to a trust root. */
export type OwnerSignatures = {
  /** Different owners whose signature verifies with a key that may sign this, in the root's order. */
  readonly people: readonly PersonId[];
  /** A signature by a listed key that does not verify: somebody changed the bytes or the signature. */
  readonly invalid: boolean;
  /** A signature by a key that the root does not list. It is never counted. */
  readonly unknown: boolean;
  /** A good signature by an owner's key of a kind that may not sign this. It is never counted. */
  readonly kindRefused: boolean;
};

/**
 * INVARIANT: people are counted, never keys or signatures, so that one owner with three keys is one signer.
 */
export async function signedByOwners(
  envelope: Envelope,
  root: TrustRoot,
  purpose: KeyPurpose,
  verify: VerifySignature,
): Promise<OwnerSignatures> {
  const payload = envelopePayload(envelope);
  if (!payload) return { people: [], invalid: true, unknown: false, kindRefused: false };
  const bytes = preAuthenticationEncoding(envelope.payloadType, payload);
  const signed = new Set<PersonId>();
  let invalid = false;
  let unknown = false;
  let kindRefused = false;
  for (const { keyid, sig } of envelope.signatures) {
    const owner = root.owners.find(({ key }) => key.id === keyid);
    const key = owner && fromBase64(owner.key.public_key);
    const signature = fromBase64(sig);
    if (!owner || !key) unknown = true;
    else if (!signature || !(await verify(key, bytes, signature))) invalid = true;
    else if (!root.key_kinds[purpose].includes(owner.key.kind)) kindRefused = true;
    else signed.add(owner.person);
  }
  const people = [...new Set(root.owners.map(({ person }) => person))].filter((person) => signed.has(person));
  return { people, invalid, unknown, kindRefused };
}
