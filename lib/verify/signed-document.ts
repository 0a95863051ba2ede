import { personById } from '@/lib/authority/roster-lookup';
import type { Roster } from '@/lib/authority/roster';
import { signedByOwners } from '@/lib/authority/signed-by-owners';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import { maxStatementBytes } from '@/lib/ledger/statement';
import { readCanonicalDocument } from '@/lib/shared/canonical-document';
import { envelopePayload, verifiedSigners, type Envelope } from '@/lib/shared/dsse';
import { bytesEqual, fromBase64 } from '@/lib/shared/encoding';
import type { PersonId } from '@/lib/shared/ids';
import { isJsonObject } from '@/lib/shared/json';
import type { KeyKind } from '@/lib/shared/keys';
import { isTimestamp, type Timestamp } from '@/lib/shared/timestamp';

/**
 * True when the envelope holds exactly the document that a receipt repeats. Only the signer's clock is the document's own, so it is
 * read from there and the rest is written again and compared byte by byte.
 */
export function holdsDocument(envelope: Envelope, payloadType: string, bytesAt: (signedAt: Timestamp) => Uint8Array): boolean {
  const payload = envelope.payloadType === payloadType ? envelopePayload(envelope) : undefined;
  const read = payload && readCanonicalDocument(payload, maxStatementBytes);
  if (!payload || !read?.ok || !isJsonObject(read.value)) return false;
  const at = read.value['signed_at'];
  return typeof at === 'string' && isTimestamp(at) && bytesEqual(payload, bytesAt(at));
}

/** Undefined when at least `needed` different owners of the root in force have signed, with keys that may. */
export async function faultOfOwners(envelope: Envelope, root: TrustRoot | undefined, needed: number, { verify }: Cryptography): Promise<string | undefined> {
  if (!root) return 'No trust root was in force.';
  const signed = await signedByOwners(envelope, root, 'policy', verify);
  if (signed.invalid) return 'An owner’s signature does not verify.';
  if (signed.people.length >= needed) return undefined;
  if (signed.kindRefused) return 'The trust root does not let this kind of key sign it.';
  return signed.unknown ? 'It is signed by a key that is no owner’s.' : `${signed.people.length} of ${needed} needed owners have signed it.`;
}

/** Undefined when exactly this person signed, with a key that the roster in force lists for them and whose kind may. */
export async function faultOfPerson(
  envelope: Envelope,
  id: PersonId,
  roster: Roster | undefined,
  kinds: readonly KeyKind[] | undefined,
  { verify }: Cryptography,
): Promise<string | undefined> {
  const person = roster && personById(roster, id);
  if (!person || person.suspended === true) return 'The roster in force does not list the signer as an active person.';
  const [signature, ...more] = envelope.signatures;
  const key = person.keys.find((one) => one.id === signature?.keyid);
  const publicKey = key && fromBase64(key.public_key);
  if (!key || !publicKey || more.length > 0) return 'The roster in force does not list this key for the signer.';
  if (kinds && !kinds.includes(key.kind)) return `The trust root does not let a ${key.kind} key sign it.`;
  const signers = await verifiedSigners(envelope, new Map([[key.id, publicKey]]), verify);
  return signers.has(key.id) ? undefined : 'The signature does not verify.';
}
