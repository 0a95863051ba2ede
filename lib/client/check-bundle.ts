import { stockCatalogue } from '@/lib/mediate/stock';
import { isDigest } from '@/lib/shared/ids';
import { toHex } from '@/lib/shared/encoding';
import type { OnProgress } from '@/lib/verify/progress';
import { findClassWith } from '@/lib/verify/find-class';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import { examineBundle } from '@/lib/verify/verify-bundle';

import { sha256 } from './hash';
import { readKnownHeads } from './known-heads';
import { OpenedBundle } from './opened-bundle';
import { summariseCheck } from './summarise-check';
import type { Checked, Trust } from './verify-messages';
import { verifySignature } from './verify-signature';

/**
 * Checks a bundle here, decisions made again included. A fingerprint that is none counts as none given. Gives the summary, and the bundle
 * to look into when it could be read. Throws when what the reader brought as checkpoints is not that: leaving it out would weaken the check.
 */
export async function checkBundle(bytes: Uint8Array, trust: Trust, onProgress?: OnProgress): Promise<{ readonly checked: Checked; readonly opened: OpenedBundle | null }> {
  const started = performance.now();
  const known = readKnownHeads(trust.known);
  if (known.fault !== null) throw new Error(known.fault);
  const fingerprint = isDigest(trust.fingerprint) ? trust.fingerprint : null;
  const { report, examined } = await examineBundle(bytes, {
    ...(fingerprint === null ? {} : { root: fingerprint }),
    known: known.heads,
    sha256,
    verifySignature,
    rederive: rederiveWith(sha256, stockCatalogue(sha256)),
    findClass: findClassWith(sha256, stockCatalogue(sha256)),
    ...(onProgress ? { onProgress } : {}),
  });
  const ms = Math.max(1, Math.round(performance.now() - started));
  return {
    checked: summariseCheck(report, examined, { bytes: bytes.length, sha256: toHex(sha256(bytes)), ms, fingerprint }),
    opened: examined ? new OpenedBundle(report, examined) : null,
  };
}
