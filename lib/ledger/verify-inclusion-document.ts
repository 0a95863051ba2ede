import type { VerifySignature } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import { openCheckpoint } from './checkpoint';
import { parseInclusionDocument } from './inclusion-document';
import { verifyInclusion } from './merkle/verify-proof';

/**
 * Whether a tlog-proof shows the leaf with this RFC 6962 hash to be in the log, under a checkpoint that one of the log's keys signed.
 * Gives position and size. `extra` is not covered by anything: whoever wrote the file can have written anything there.
 */
export async function verifyInclusionDocument(
  sha256: Sha256,
  verify: VerifySignature,
  document: string | Uint8Array,
  leafHash: Uint8Array,
  log: { readonly origin: string; readonly publicKeys: readonly Uint8Array[] },
): Promise<Result<{ readonly index: number; readonly size: number; readonly extra?: Uint8Array }>> {
  const read = parseInclusionDocument(document);
  if (!read.ok) return read;
  const { index, path, checkpoint, extra } = read.value;
  const head = await openCheckpoint(sha256, verify, checkpoint, log.origin, log.publicKeys);
  if (!head.ok) return head;
  const { size, root } = head.value;
  if (!verifyInclusion(sha256, index, size, leafHash, path, root)) return fail('ledger_broken', `The path does not lead from leaf ${index} to the checkpoint’s root.`);
  return ok({ index, size, ...(extra ? { extra } : {}) });
}
