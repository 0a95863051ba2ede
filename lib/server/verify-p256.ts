import { createPublicKey, verify } from 'node:crypto';

import type { VerifyP256 } from '@/lib/shared/passkey/verify-assertion';

/** DER in front of the 65 bytes of an uncompressed P-256 point (RFC 5480). */
const spkiPrefix = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

/** ECDSA on P-256 with SHA-256 as Node has it. A point that is not on the curve, like whatever cannot be checked, is false. */
export const verifyP256: VerifyP256 = async (point, bytes, signature) => {
  if (point.length !== 65 || point[0] !== 4 || signature.length !== 64) return false;
  try {
    const key = createPublicKey({ key: Buffer.concat([spkiPrefix, point]), format: 'der', type: 'spki' });
    return verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    return false;
  }
};
