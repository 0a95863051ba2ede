import { z } from 'zod';

import { canonicalBytes } from '@/lib/shared/canonical-json';
import { idField, publicKeyField, timestampField } from '@/lib/shared/document-fields';
import { envelopePayload, signEnvelope, verifiedSigners, type Envelope, type Signer } from '@/lib/shared/dsse';
import { fromBase64 } from '@/lib/shared/encoding';
import type { PersonId, WorkspaceId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';
import { parseDocument } from '@/lib/shared/parse-document';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import { keyIdsHold } from './key-ids';
import { keyOwner, personById } from './roster-lookup';
import type { Roster } from './roster';
import { signedByOwners } from './signed-by-owners';
import type { TrustRoot } from './trust-root';
import type { Cryptography } from './verify-trust-root';

export const keyEnrolmentSchema = 'countersign/key-enrolment/v1';
export const keyEnrolmentPayloadType = 'application/vnd.countersign.key-enrolment';

/** "This is my key": signed with the key itself, and countersigned by an owner or by a key the person has already. */
export type KeyEnrolment = {
  readonly schema: typeof keyEnrolmentSchema;
  readonly workspace: WorkspaceId;
  readonly person: PersonId;
  readonly key: PublicKeyEntry;
  readonly at: Timestamp;
};

export const keyEnrolmentBytes = (enrolment: Omit<KeyEnrolment, 'schema'>): Uint8Array =>
  canonicalBytes({ schema: keyEnrolmentSchema, ...enrolment });

/** Signs with the new key and whoever countersigns; more countersignatures may be added to the envelope later. */
export const signKeyEnrolment = (enrolment: Omit<KeyEnrolment, 'schema'>, signers: readonly Signer[]): Promise<Envelope> =>
  signEnvelope(keyEnrolmentPayloadType, keyEnrolmentBytes(enrolment), signers);

/** Faults: `signature_invalid` (form, key or signature), `not_found` (nobody to give the key to), `conflict` (key is taken), `forbidden` (nobody countersigned). */
export async function verifyKeyEnrolment(
  envelope: Envelope,
  root: TrustRoot,
  roster: Roster,
  { verify, sha256 }: Cryptography,
): Promise<Result<KeyEnrolment>> {
  const bytes = envelope.payloadType === keyEnrolmentPayloadType ? envelopePayload(envelope) : undefined;
  if (!bytes) return fail('signature_invalid', 'The envelope holds no key enrolment.');
  const parsed = parseDocument(document, bytes, 4096);
  if (!parsed.ok) return fail('signature_invalid', 'The key enrolment cannot be read.', { cause: parsed.error });
  const enrolment = parsed.value;
  if (enrolment.workspace !== root.workspace || !keyIdsHold([enrolment.key], sha256)) {
    return fail('signature_invalid', 'The key enrolment names another workspace, or a key under a false id.');
  }
  const person = personById(roster, enrolment.person);
  if (!person || person.suspended) return fail('not_found', 'The roster has no such person.');
  if (isTaken(enrolment.key.id, root, roster, person.id)) return fail('conflict', 'The key is in use already.');
  const own = await verifiedSigners(envelope, publicKeys([enrolment.key]), verify);
  if (!own.has(enrolment.key.id)) return fail('signature_invalid', 'The new key has not signed its own enrolment.');
  const previous = await verifiedSigners(envelope, publicKeys(person.keys), verify);
  const owners = await signedByOwners(envelope, root, 'policy', verify);
  if (previous.size === 0 && owners.people.length === 0) {
    return fail('forbidden', 'Neither an owner nor an earlier key of this person has countersigned the new key.');
  }
  return ok(enrolment);
}

const document: z.ZodType<KeyEnrolment> = z.strictObject({
  schema: z.literal(keyEnrolmentSchema),
  workspace: idField('workspace'),
  person: idField('person'),
  key: publicKeyField,
  at: timestampField,
});

/** An owner's key may also be that same person's approver key; no other key serves twice. */
function isTaken(keyId: string, root: TrustRoot, roster: Roster, person: PersonId): boolean {
  const owner = root.owners.find(({ key }) => key.id === keyId);
  return (
    keyOwner(roster, keyId) !== undefined ||
    (owner !== undefined && owner.person !== person) ||
    root.recovery.key.id === keyId ||
    root.services.some(({ key }) => key.id === keyId)
  );
}

const publicKeys = (keys: readonly PublicKeyEntry[]): ReadonlyMap<string, Uint8Array> =>
  new Map(keys.flatMap((key) => {
    const bytes = fromBase64(key.public_key);
    return bytes ? [[key.id, bytes] as const] : [];
  }));
