import { concatBytes, type Sha256 } from '@/lib/shared/encoding';
import type { VerifySignature } from '@/lib/shared/dsse';
import { fail, ok, type Result } from '@/lib/shared/result';

import { readAssertion } from './assertion';
import { faultOfAuthenticatorData } from './fault-of-authenticator-data';
import { faultOfClientData } from './fault-of-client-data';
import { readPasskey, type ReadPasskey } from './passkey-entry';
import { rawEcdsaSignature } from './raw-ecdsa-signature';

/** ECDSA on P-256 with SHA-256: uncompressed point of 65 bytes, the bytes, r and s in 64 bytes. What cannot be checked is false. */
export type VerifyP256 = (point: Uint8Array, bytes: Uint8Array, signature: Uint8Array) => Promise<boolean>;

export type SignatureFunctions = { readonly ed25519: VerifySignature; readonly p256: VerifyP256; readonly sha256: Sha256 };

/** What a passkey is asked to sign for these bytes: the assertion's challenge. */
export const challengeOf = (bytes: Uint8Array, sha256: Sha256): Uint8Array => sha256(bytes);

/**
 * Whether a passkey signed the bytes: its assertion has their hash as challenge. Needs nothing but the key's entry, so it gives the
 * same answer years later and offline. Each fault is `signature_invalid`, with the reason.
 */
export async function verifyAssertion(publicKey: Uint8Array, bytes: Uint8Array, sig: Uint8Array, functions: SignatureFunctions): Promise<Result<null>> {
  const { sha256 } = functions;
  const passkey = readPasskey(publicKey);
  if (!passkey) return fail('signature_invalid', 'The passkey’s entry cannot be read.');
  const assertion = readAssertion(sig);
  if (!assertion) return fail('signature_invalid', 'The signature is no passkey’s.');
  const { authenticatorData, clientDataJson, signature } = assertion;
  const fault =
    faultOfClientData(clientDataJson, challengeOf(bytes, sha256), passkey.rpId) ?? faultOfAuthenticatorData(authenticatorData, passkey.rpId, sha256);
  if (fault !== undefined) return fail('signature_invalid', fault);
  const signed = concatBytes(authenticatorData, sha256(clientDataJson));
  return (await signs(passkey, signed, signature, functions)) ? ok(null) : fail('signature_invalid', 'The passkey’s signature does not verify.');
}

async function signs({ key }: ReadPasskey, signed: Uint8Array, signature: Uint8Array, { ed25519, p256 }: SignatureFunctions): Promise<boolean> {
  if (key.algorithm === 'EdDSA') return signature.length === 64 && (await ed25519(key.key, signed, signature));
  const raw = rawEcdsaSignature(signature);
  return raw !== undefined && (await p256(key.point, signed, raw));
}
