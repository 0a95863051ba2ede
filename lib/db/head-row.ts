import { emptyFrontier, frontierFromHex, type Frontier } from '@/lib/ledger/merkle/frontier';
import { concatBytes, toHex } from '@/lib/shared/encoding';

import { big, bytes, time, type Row } from './columns';

/** Leaf hash that stands before the first leaf. */
export const zeroHash = new Uint8Array(32);

export type HeadRow = {
  readonly epoch: bigint;
  readonly frontier: Frontier;
  readonly lastHash: Uint8Array;
  readonly loggedAt: string;
};

/** Throws when the stored frontier is not one that a log of the stored size has: appending to it would fork the log. */
export function readHead(row: Row): HeadRow {
  const size = Number(big(row['size']));
  const frontier = unpackFrontier(size, bytes(row['frontier']));
  const lastHash = bytes(row['last_hash']);
  if (!frontier || lastHash.length !== 32) throw new Error('The head of the log is damaged. Run "countersign fsck".');
  return { epoch: big(row['epoch']), frontier, lastHash, loggedAt: time(row['logged_at']) };
}

export const packFrontier = (frontier: Frontier): Uint8Array => concatBytes(...frontier.hashes);

export function unpackFrontier(size: number, packed: Uint8Array): Frontier | undefined {
  if (size === 0 && packed.length === 0) return emptyFrontier;
  if (packed.length % 32 !== 0) return undefined;
  const hashes = Array.from({ length: packed.length / 32 }, (_, i) => toHex(packed.subarray(32 * i, 32 * i + 32)));
  return frontierFromHex(size, hashes);
}
