import { asJson } from './as-json';
import { canonicalJson } from './canonical-json';
import { concatBytes, fromBase64, fromUtf8, toBase64, utf8 } from './encoding';
import { hasExactNames } from './json';
import { readAssertion } from './passkey/assertion';
import { fail, ok, type Result } from './result';

/** Signs the bytes: 64 bytes of Ed25519, or a passkey's assertion. Asynchronous because browsers, people and key services are. */
export type Signer = { readonly keyId: string; readonly sign: (bytes: Uint8Array) => Promise<Uint8Array> };

/**
 * The public key as documents list it (32 raw bytes of Ed25519, or a passkey's entry), the bytes, the signature (64 raw bytes, or an
 * assertion). Never throws: what cannot be checked is false. `signatureVerifier` makes the one for keys of people.
 */
export type VerifySignature = (publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array) => Promise<boolean>;

/** A Dead Simple Signing Envelope (DSSE 1.0.2). `payload` is standard base64 of the exact bytes that are signed. */
export type Envelope = {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
};

/** The bytes that a DSSE signature covers (pre-authentication encoding): type and payload, each with its length. */
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = utf8(payloadType);
  return concatBytes(utf8(`DSSEv1 ${type.length} `), type, utf8(` ${payload.length} `), payload);
}

export async function signEnvelope(payloadType: string, payload: Uint8Array, signers: readonly Signer[]): Promise<Envelope> {
  const bytes = preAuthenticationEncoding(payloadType, payload);
  const signatures = await Promise.all(
    signers.map(async (signer) => ({ keyid: signer.keyId, sig: toBase64(await signer.sign(bytes)) })),
  );
  return { payloadType, payload: toBase64(payload), signatures };
}

/** The envelope as canonical JSON text: what is stored, hashed into the log, and exported. */
export const envelopeText = (envelope: Envelope): string => canonicalJson(asJson(envelope));

/** The payload's exact bytes; undefined when the base64 is not canonical. */
export const envelopePayload = (envelope: Envelope): Uint8Array | undefined => fromBase64(envelope.payload);

/**
 * Reads an envelope from canonical JSON text. Strict: unknown keys, non-canonical base64, no signature, or a text that
 * would be written differently (spaces, key order) is `invalid_input`, so that one envelope has one text.
 */
export function parseEnvelope(text: string): Result<Envelope> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return fail('invalid_input', 'The envelope is not JSON.', { cause });
  }
  const envelope = readEnvelope(value);
  if (!envelope) return fail('invalid_input', 'The envelope does not have the shape of a DSSE envelope.');
  if (envelopeText(envelope) !== text) return fail('invalid_input', 'The envelope is not written canonically.');
  return ok(envelope);
}

/** The same from a parsed value (an envelope inside a larger document); undefined when the shape is wrong. */
export function readEnvelope(value: unknown): Envelope | undefined {
  if (!hasExactNames(value, ['payload', 'payloadType', 'signatures'])) return undefined;
  const { payload, payloadType, signatures } = value;
  if (typeof payload !== 'string' || typeof payloadType !== 'string' || !payloadType.isWellFormed()) return undefined;
  if (fromBase64(payload) === undefined || !Array.isArray(signatures) || signatures.length === 0) return undefined;
  const read: { keyid: string; sig: string }[] = [];
  for (const signature of signatures as unknown[]) {
    if (!hasExactNames(signature, ['keyid', 'sig'])) return undefined;
    const { keyid, sig } = signature;
    if (typeof keyid !== 'string' || typeof sig !== 'string' || !keyid.isWellFormed()) return undefined;
    if (!isSignature(fromBase64(sig)) || read.some((other) => other.keyid === keyid)) return undefined;
    read.push({ keyid, sig });
  }
  return { payloadType, payload, signatures: read };
}

/** The key ids, among `keys`, whose signatures over the payload verify. Unknown key ids are ignored, never trusted. */
export async function verifiedSigners(
  envelope: Envelope,
  keys: ReadonlyMap<string, Uint8Array>,
  verify: VerifySignature,
): Promise<ReadonlySet<string>> {
  const payload = envelopePayload(envelope);
  const signers = new Set<string>();
  if (!payload) return signers;
  const bytes = preAuthenticationEncoding(envelope.payloadType, payload);
  for (const { keyid, sig } of envelope.signatures) {
    const key = keys.get(keyid);
    const signature = fromBase64(sig);
    if (key && signature && (await verify(key, bytes, signature))) signers.add(keyid);
  }
  return signers;
}

/** The payload as text, for payloads that are text by contract. */
export function payloadText(envelope: Envelope): string | undefined {
  const bytes = envelopePayload(envelope);
  return bytes && fromUtf8(bytes);
}

/** A signature's form; whether it is the form that its key takes is for whoever verifies it. */
const isSignature = (bytes: Uint8Array | undefined): boolean => bytes?.length === 64 || (bytes !== undefined && readAssertion(bytes) !== undefined);
