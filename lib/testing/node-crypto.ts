import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

import type { Signer, VerifySignature } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import { keyIdOf } from '@/lib/shared/keys';
import type { SignatureFunctions, VerifyP256 } from '@/lib/shared/passkey/verify-assertion';
import { signatureVerifier } from '@/lib/shared/signature-verifier';

/** Node's own SHA-256 and Ed25519 in the shapes that the core asks for. */
export const nodeSha256: Sha256 = (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest());

// The fixed DER in front of a raw Ed25519 key: RFC 8410, section 7 (PKCS#8) and section 4 (SPKI).
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

const ed25519: VerifySignature = async (publicKey, bytes, signature) => {
  try {
    const key = createPublicKey({ key: Buffer.concat([spkiPrefix, publicKey]), format: 'der', type: 'spki' });
    return verify(null, bytes, key, signature);
  } catch {
    return false;
  }
};

const p256: VerifyP256 = async (point, bytes, signature) => {
  try {
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: base64Url(point.subarray(1, 33)), y: base64Url(point.subarray(33)) }, format: 'jwk' });
    return verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    return false;
  }
};

const base64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** The three functions that the core asks for, and what it makes of them for keys of every kind. */
export const nodeSignatureFunctions: SignatureFunctions = { ed25519, p256, sha256: nodeSha256 };
export const nodeVerifySignature: VerifySignature = signatureVerifier(nodeSignatureFunctions);

export type TestKey = { readonly publicKey: Uint8Array; readonly signer: Signer };

/** A real Ed25519 key made from a word, so that the same test signs the same bytes each time. Never for anything but tests. */
export function testKey(word: string): TestKey {
  const seed = createHash('sha256').update(`test key ${word}`).digest();
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(spkiPrefix.length));
  return {
    publicKey,
    signer: { keyId: keyIdOf(nodeSha256, publicKey), sign: async (bytes) => new Uint8Array(sign(null, bytes, key)) },
  };
}
