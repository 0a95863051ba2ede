import { stockCatalogue } from '@/lib/mediate/stock';
import { isDigest } from '@/lib/shared/ids';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import type { Report } from '@/lib/verify/report';
import { verifyBundle } from '@/lib/verify/verify-bundle';

import { sha256 } from './hash';
import { verifySignature } from './verify-signature';

/** Checks a bundle here, decisions made again included. `fingerprint` as the reader knows it; anything else means none. */
export const checkBundle = async (bytes: Uint8Array, fingerprint: string): Promise<Report> =>
  await verifyBundle(bytes, {
    ...(isDigest(fingerprint) ? { root: fingerprint } : {}),
    sha256,
    verifySignature,
    rederive: rederiveWith(sha256, stockCatalogue(sha256)),
  });
