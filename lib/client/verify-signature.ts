import type { VerifySignature } from '@/lib/shared/dsse';
import { toHex } from '@/lib/shared/encoding';
import type { VerifyP256 } from '@/lib/shared/passkey/verify-assertion';
import { signatureVerifier } from '@/lib/shared/signature-verifier';

import { sha256 } from './hash';

const algorithm = 'Ed25519';
const p256Key = { name: 'ECDSA', namedCurve: 'P-256' } as const;

const ed25519: VerifySignature = async (publicKey, bytes, signature) => {
  try {
    return await crypto.subtle.verify(algorithm, await imported(publicKey, algorithm), signature.slice(), bytes.slice());
  } catch {
    return false;
  }
};

const p256: VerifyP256 = async (point, bytes, signature) => {
  try {
    return await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, await imported(point, p256Key), signature.slice(), bytes.slice());
  } catch {
    return false;
  }
};

/**
 * Every kind of key that documents list, by the browser. What cannot be checked is false; ask `canEd25519` first to tell a browser
 * without it from a bad signature.
 */
export const verifySignature: VerifySignature = signatureVerifier({ ed25519, p256, sha256 });

/** A log has few keys and many signatures, so each key is read once. Bounded: a bundle may name as many keys as it likes. */
const mostKeys = 256;
const keys = new Map<string, Promise<CryptoKey>>();

function imported(publicKey: Uint8Array, as: typeof algorithm | typeof p256Key): Promise<CryptoKey> {
  const name = toHex(publicKey);
  let key = keys.get(name);
  if (!key) {
    key = crypto.subtle.importKey('raw', publicKey.slice(), as, false, ['verify']);
    if (keys.size >= mostKeys) keys.clear();
    keys.set(name, key);
  }
  return key;
}

/** False where the browser lacks Ed25519, or the page is not in a secure context. */
export async function canEd25519(): Promise<boolean> {
  try {
    await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
    return true;
  } catch {
    return false;
  }
}
