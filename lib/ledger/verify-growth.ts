import type { VerifySignature } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import { openCheckpoint, type Checkpoint } from './checkpoint';
import { verifyConsistency } from './merkle/verify-proof';

/** A tree head that somebody kept. */
export type KeptHead = { readonly size: number; readonly root: Uint8Array };

/**
 * Whether a log has only grown since somebody kept a head of it: the newer checkpoint is signed by one of the log's keys, and the
 * RFC 6962 proof leads from the kept head to it. `rollback_detected` when it is shorter, or another history.
 */
export async function verifyGrowth(
  sha256: Sha256,
  verify: VerifySignature,
  kept: KeptHead,
  newer: { readonly checkpoint: string | Uint8Array; readonly proof: readonly Uint8Array[] },
  log: { readonly origin: string; readonly publicKeys: readonly Uint8Array[] },
): Promise<Result<Checkpoint>> {
  const head = await openCheckpoint(sha256, verify, newer.checkpoint, log.origin, log.publicKeys);
  if (!head.ok) return head;
  const { size, root } = head.value;
  if (size < kept.size) return fail('rollback_detected', `The log has ${size} receipts; ${kept.size} are known of it.`);
  // From an empty log everything goes on: there is nothing that a proof could say.
  const goesOn = kept.size === 0 ? newer.proof.length === 0 : verifyConsistency(sha256, kept.size, size, kept.root, root, newer.proof);
  return goesOn ? ok(head.value) : fail('rollback_detected', `The log of ${size} receipts does not go on from the one of ${kept.size} that is known.`);
}
