import { consistencyProof } from '@/lib/ledger/merkle/prove';
import type { ConsistencyView } from '@/lib/contracts/plane/log';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import { toBase64, type Sha256 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

/**
 * The proof that the log goes on from its first `from` receipts, up to the smallest checkpoint that covers `to` (left out: the newest).
 * `invalid_input`: no such sizes; `not_found`: the log has never been that long, or no checkpoint covers it yet.
 */
export async function proveGrowth(
  { reader, sha256 }: { readonly reader: Pick<LedgerReader, 'latestCheckpoint' | 'checkpointCovering' | 'hashes'>; readonly sha256: Sha256 },
  from: number,
  to?: number,
): Promise<Result<ConsistencyView>> {
  if (!isSize(from) || (to !== undefined && (!isSize(to) || to < from))) {
    return fail('invalid_input', 'The sizes are not two of a log that grows.', { fix: 'Give "from", and if need be a "to" that is no smaller: whole numbers of receipts.' });
  }
  const checkpoint = to === undefined ? await reader.latestCheckpoint() : await reader.checkpointCovering(BigInt(to));
  if (!checkpoint || checkpoint.size < BigInt(from)) return fail('not_found', 'No signed checkpoint covers a log of that many receipts.');
  const size = Number(checkpoint.size);
  const proof = from === 0 || from === size ? [] : await consistencyProof(sha256, reader.hashes, from, size);
  return ok({ from, to: size, proof: proof.map(toBase64), checkpoint: checkpoint.note });
}

const isSize = (size: number): boolean => Number.isSafeInteger(size) && size >= 0;
