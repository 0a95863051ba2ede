import { fromBase64, type Sha256 } from '@/lib/shared/encoding';
import { keyIdOf, type PublicKeyEntry } from '@/lib/shared/keys';

/** True when every key's id is its own hash: otherwise a document could list one person's key under another key's id. */
export const keyIdsHold = (keys: readonly PublicKeyEntry[], sha256: Sha256): boolean =>
  keys.every((key) => {
    const bytes = fromBase64(key.public_key);
    return bytes !== undefined && keyIdOf(sha256, bytes) === key.id;
  });
