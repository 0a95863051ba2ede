import type { VerifySignature } from '@/lib/shared/dsse';

const algorithm = 'Ed25519';

/** Ed25519 by the browser. What cannot be checked is false; ask `canEd25519` first to tell a browser without it from a bad signature. */
export const verifySignature: VerifySignature = async (publicKey, bytes, signature) => {
  try {
    const key = await crypto.subtle.importKey('raw', publicKey.slice(), algorithm, false, ['verify']);
    return await crypto.subtle.verify(algorithm, key, signature.slice(), bytes.slice());
  } catch {
    return false;
  }
};

/** False where the browser lacks Ed25519, or the page is not in a secure context. */
export async function canEd25519(): Promise<boolean> {
  try {
    await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
    return true;
  } catch {
    return false;
  }
}
