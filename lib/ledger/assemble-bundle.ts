import { hexDigest, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';

import type { BundleParts } from './bundle';
import type { Leaf } from './leaf';
import { consistencyProof, frontierHashes, inclusionProof } from './merkle/prove';
import type { HashSource } from './merkle/tiles';

/** What an exporter has at hand; the proofs that join it together are computed. */
export type BundleMaterial = Omit<BundleParts, 'frontier' | 'consistency' | 'anchors'> & {
  /** Receipts from outside the range that it rests on: trust roots, rosters, policies, the beginnings of its actions. */
  readonly single: readonly Leaf[];
};

/**
 * The parts of a bundle over positions `from` to `to` of a log whose last checkpoint covers `size` receipts. A selection of
 * single receipts has `from` = `to` = `size`. Needs `from` ≤ `to` ≤ `size`, and a source that knows the first `size` leaves.
 */
export async function assembleBundle(
  sha256: Sha256,
  source: HashSource,
  range: { readonly from: number; readonly to: number; readonly size: number },
  { single, ...parts }: BundleMaterial,
): Promise<BundleParts> {
  const { from, to, size } = range;
  if (!(from <= to && to <= size)) throw new RangeError(`${from} to ${to} is no range of a log of ${size}.`);
  const outside = single.filter(({ index }) => index < from || index >= to).sort((a, b) => a.index - b.index);
  const anchors = await Promise.all(
    outside.map(async (leaf) => ({ leaf, path: digests(await inclusionProof(sha256, source, leaf.index, size)) })),
  );
  return {
    ...parts,
    anchors,
    frontier: digests(await frontierHashes(sha256, source, from)),
    consistency: to === 0 ? [] : digests(await consistencyProof(sha256, source, to, size)),
  };
}

const digests = (hashes: readonly Uint8Array[]): Digest[] => hashes.map(hexDigest);
