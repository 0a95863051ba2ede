import { envelopePayload, verifiedSigners, type Envelope, type VerifySignature } from '@/lib/shared/dsse';
import { fromBase64 } from '@/lib/shared/encoding';
import type { PersonId } from '@/lib/shared/ids';
import type { KeyKind } from '@/lib/shared/keys';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { Signatory } from './signatory';
import type { Approver } from './vote';

/** A person as the signed roster lists them, with what a statement is judged by. */
export type ListedPerson = Approver & { readonly roles: readonly string[] };

export type SignatoryContext = {
  /** As the roster in force lists them; undefined when it does not. */
  readonly person: (id: PersonId) => ListedPerson | undefined;
  /** Kinds of key that the trust root lets sign this. */
  readonly keyKinds: readonly KeyKind[];
  readonly verify: VerifySignature;
};

/** What an envelope of this type says, once its payload is one. `signature_invalid` for anything else. */
export function readSigned<T>(envelope: Envelope, payloadType: string, parse: (bytes: Uint8Array) => Result<T>): Result<T> {
  const bytes = envelope.payloadType === payloadType ? envelopePayload(envelope) : undefined;
  const parsed = bytes && parse(bytes);
  return parsed?.ok ? parsed : fail('signature_invalid', 'The envelope does not hold such a statement.', { cause: parsed });
}

/**
 * That exactly this person signed, with a key of their own that may. Refusals: `forbidden` (the roster does not list them as
 * active), `key_not_enrolled`, `signature_invalid`, `key_kind_refused`.
 */
export async function verifySignatory(envelope: Envelope, signer: Signatory, context: SignatoryContext): Promise<Result<ListedPerson>> {
  const person = context.person(signer.person);
  if (!person || person.suspended === true) return fail('forbidden', 'The roster does not list you as an active person.');
  const key = person.keys.find(({ id }) => id === signer.key);
  const publicKey = key && fromBase64(key.public_key);
  if (!key || !publicKey) return fail('key_not_enrolled', 'The roster does not list this key for you.');
  const signers = await verifiedSigners(envelope, new Map([[key.id, publicKey]]), context.verify);
  if (envelope.signatures.length !== 1 || !signers.has(key.id)) return fail('signature_invalid', 'The signature does not verify.');
  if (key.kind !== signer.key_kind) return fail('signature_invalid', 'The statement names another kind of key than the roster.');
  if (!context.keyKinds.includes(key.kind)) return fail('key_kind_refused', `The trust root does not let a ${key.kind} key sign this.`, { fix: 'Use a stronger key.' });
  return ok(person);
}
