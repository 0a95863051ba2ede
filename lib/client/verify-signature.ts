import type { VerifySignature } from '@/lib/shared/dsse';
import { toHex } from '@/lib/shared/encoding';

const algorithm = 'Ed25519';

/** Ed25519 by the browser. What cannot be checked is false; ask `canEd25519` first to tell a browser without it from a bad signature. */
export const verifySignature: VerifySignature = async (publicKey, bytes, signature) => {
  try {
    return await crypto.subtle.verify(algorithm, await imported(publicKey), signature.slice(), bytes.slice());
  } catch {
    return false;
  }
};

/** A log has few keys and many signatures, so each key is read once. Bounded: a bundle may name as many keys as it likes. */
const mostKeys = 256;
const keys = new Map<string, Promise<CryptoKey>>();

function imported(publicKey: Uint8Array): Promise<CryptoKey> {
  const name = toHex(publicKey);
  let key = keys.get(name);
  if (!key) {
    key = crypto.subtle.importKey('raw', publicKey.slice(), algorithm, false, ['verify']);
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
