import { delegatedKeysAt } from '@/lib/authority/service-keys';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { Bundle } from '@/lib/ledger/bundle';
import type { BundleManifest } from '@/lib/ledger/bundle-manifest';
import { openCheckpoint, originOf, parseCheckpoint } from '@/lib/ledger/checkpoint';
import { bytesEqual, fromBase64 } from '@/lib/shared/encoding';

import { failed, passed, type Check } from './report';
import type { PlacedRoot } from './trust-history';

/**
 * Every checkpoint is of this workspace's log and signed by a key that is the plane's at the checkpoint's last position, by the
 * root in force there and by all that came later.
 * `knownKey` tells whether the last one is signed by a key that the reader brought.
 */
export async function checkCheckpoints(
  bundle: Bundle,
  manifest: BundleManifest,
  roots: readonly PlacedRoot[],
  knownKey: Uint8Array | undefined,
  { sha256, verify }: Cryptography,
): Promise<{ readonly check: Check; readonly knownKey: boolean }> {
  const origin = originOf(manifest.workspace);
  let signedByKnown = false;
  const end = (check: Check) => ({ check, knownKey: false });
  if (bundle.checkpoints.length === 0) return end(failed('checkpoints', 'The bundle has no checkpoint.'));
  for (const text of bundle.checkpoints) {
    const stated = parseCheckpoint(text);
    if (!stated.ok) return end(failed('checkpoints', 'A checkpoint cannot be read.'));
    const { size } = stated.value;
    const keys = delegatedKeysAt(roots, 'plane', size - 1).flatMap(({ key }) => fromBase64(key.public_key) ?? []);
    const head = await openCheckpoint(sha256, verify, text, origin, keys);
    if (!head.ok) return end(failed('checkpoints', `The checkpoint at ${size}: ${head.error.detail}`, size));
    signedByKnown = knownKey !== undefined && head.value.signers.some((publicKey) => bytesEqual(publicKey, knownKey));
  }
  return { check: passed('checkpoints', `${bundle.checkpoints.length} checkpoints.`), knownKey: signedByKnown };
}
