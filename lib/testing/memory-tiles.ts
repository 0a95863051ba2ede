import { appendLeaf, emptyFrontier } from '@/lib/ledger/merkle/frontier';
import type { HashSource } from '@/lib/ledger/merkle/tiles';

import { nodeSha256 } from './node-crypto';

/** Leaf hashes and the tile roots above them, in memory; it refuses reads of what is not stored. */
export function memoryTiles(leafHashes: readonly Uint8Array[]): HashSource {
  const levels: Uint8Array[][] = [leafHashes.slice()];
  let frontier = emptyFrontier;
  for (const hash of leafHashes) {
    frontier = appendLeaf(nodeSha256, frontier, hash, (level, index, root) => {
      const row = (levels[level] ??= []);
      row[index] = root;
    });
  }
  const read = async (level: number, from: number, to: number) => (levels[level] ?? []).slice(from, to);
  return { leafHashes: (from, to) => read(0, from, to), tileRoots: read };
}
