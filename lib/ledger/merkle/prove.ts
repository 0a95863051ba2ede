import type { Sha256 } from '@/lib/shared/encoding';

import { hashNode } from './hash';
import { consistencyRanges, inclusionRanges, readsOf, type LeafRange } from './ranges';
import type { HashSource, TileRead } from './tiles';

/** The source has fewer hashes than the log's size asks for: rows are gone. */
export class MissingHashes extends Error {
  override readonly name = 'MissingHashes';
}

/** The hashes that lead from leaf `index` to the root of the tree of `size` leaves (RFC 6962, section 2.1.1). */
export const inclusionProof = (sha256: Sha256, source: HashSource, index: number, size: number): Promise<Uint8Array[]> =>
  Promise.all(inclusionRanges(index, size).map((range) => rangeRoot(sha256, source, range)));

/** The hashes that show the tree of `oldSize` leaves to be the beginning of the tree of `size` (RFC 6962, section 2.1.2). */
export const consistencyProof = (sha256: Sha256, source: HashSource, oldSize: number, size: number): Promise<Uint8Array[]> =>
  Promise.all(consistencyRanges(oldSize, size).map((range) => rangeRoot(sha256, source, range)));

/** The roots of the complete subtrees of the first `size` leaves: the frontier to go on from there. */
export const frontierHashes = (sha256: Sha256, source: HashSource, size: number): Promise<Uint8Array[]> =>
  Promise.all(readsOf({ from: 0, to: size }).map((read) => subtreeRoot(sha256, source, read)));

async function rangeRoot(sha256: Sha256, source: HashSource, range: LeafRange): Promise<Uint8Array> {
  const subtrees = await Promise.all(readsOf(range).map((read) => subtreeRoot(sha256, source, read)));
  return subtrees.reduceRight((right, left) => hashNode(sha256, left, right));
}

async function subtreeRoot(sha256: Sha256, source: HashSource, read: TileRead): Promise<Uint8Array> {
  const { level, from, to } = read;
  let hashes = level === 0 ? await source.leafHashes(from, to) : await source.tileRoots(level, from, to);
  // A source that answers with too few hashes would otherwise yield a proof of something else.
  if (hashes.length !== to - from) throw new MissingHashes(`Level ${level} has ${hashes.length} of the hashes ${from} to ${to}.`);
  while (hashes.length > 1) hashes = joinPairs(sha256, hashes);
  const [root] = hashes;
  if (!root) throw new Error('A subtree has at least one leaf.');
  return root;
}

function joinPairs(sha256: Sha256, hashes: readonly Uint8Array[]): Uint8Array[] {
  const joined: Uint8Array[] = [];
  for (let i = 0; i < hashes.length; i += 2) {
    const [left, right] = [hashes[i], hashes[i + 1]];
    if (!left || !right) throw new Error('A complete subtree has an even number of hashes.');
    joined.push(hashNode(sha256, left, right));
  }
  return joined;
}
