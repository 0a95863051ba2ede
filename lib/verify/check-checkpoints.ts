import { delegatedKeysAt } from '@/lib/authority/service-keys';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { Bundle } from '@/lib/ledger/bundle';
import type { BundleManifest } from '@/lib/ledger/bundle-manifest';
import { checkpointKey, originOf, parseCheckpointText } from '@/lib/ledger/checkpoint';
import { parseNote, verifyNote, type NoteKey } from '@/lib/ledger/note';
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
    const note = parseNote(text);
    const head = note.ok ? parseCheckpointText(note.value.text) : note;
    if (!note.ok || !head.ok) return end(failed('checkpoints', 'A checkpoint cannot be read.'));
    const { size } = head.value;
    if (head.value.origin !== origin) return end(failed('checkpoints', `The checkpoint at ${size} is of another log.`, size));
    const keys = delegatedKeysAt(roots, 'plane', size - 1).flatMap(({ key }): NoteKey[] => {
      const publicKey = fromBase64(key.public_key);
      return publicKey ? [checkpointKey(origin, publicKey)] : [];
    });
    const signers = await verifyNote(sha256, verify, note.value, keys);
    if (!signers.ok) return end(failed('checkpoints', `The checkpoint at ${size}: ${signers.error.detail}`, size));
    signedByKnown = knownKey !== undefined && signers.value.some(({ publicKey }) => bytesEqual(publicKey, knownKey));
  }
  return { check: passed('checkpoints', `${bundle.checkpoints.length} checkpoints.`), knownKey: signedByKnown };
}
