import { bytesEqual, type Sha256 } from '@/lib/shared/encoding';

import { hashNode } from './hash';

/** True when the proof leads from the leaf at `index` to the root of the tree of `size`. Source: RFC 9162, section 2.1.3.2. */
export function verifyInclusion(
  sha256: Sha256,
  index: number,
  size: number,
  leafHash: Uint8Array,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (!isCount(index) || !isCount(size) || index >= size || !areHashes([leafHash, root, ...proof])) return false;
  let position = index;
  let last = size - 1;
  let hash = leafHash;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      hash = hashNode(sha256, sibling, hash);
      while (position % 2 === 0 && position !== 0) {
        position /= 2;
        last = half(last);
      }
    } else {
      hash = hashNode(sha256, hash, sibling);
    }
    position = half(position);
    last = half(last);
  }
  return last === 0 && bytesEqual(hash, root);
}

/**
 * True when the tree of `oldSize` with `oldRoot` is the beginning of the tree of `size` with `root`. Source: RFC 9162,
 * section 2.1.4.2. Between equal sizes (also of two empty trees) exactly equal roots and an empty proof are consistent. From the empty
 * tree to a larger one there is nothing to prove, so it is false: a caller that accepts it must say so itself.
 */
export function verifyConsistency(
  sha256: Sha256,
  oldSize: number,
  size: number,
  oldRoot: Uint8Array,
  root: Uint8Array,
  proof: readonly Uint8Array[],
): boolean {
  if (!isCount(oldSize) || !isCount(size) || oldSize > size) return false;
  if (oldSize === size) return proof.length === 0 && bytesEqual(oldRoot, root);
  if (oldSize === 0 || !areHashes([oldRoot, root, ...proof])) return false;
  let position = oldSize - 1;
  let last = size - 1;
  while (position % 2 === 1) {
    position = half(position);
    last = half(last);
  }
  // Where the old tree is one complete subtree its root starts the path, and the proof leaves it out.
  const path = position === 0 ? [oldRoot, ...proof] : proof;
  const [first, ...rest] = path;
  if (!first) return false;
  let oldHash = first;
  let hash = first;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      oldHash = hashNode(sha256, sibling, oldHash);
      hash = hashNode(sha256, sibling, hash);
      while (position % 2 === 0 && position !== 0) {
        position /= 2;
        last = half(last);
      }
    } else {
      hash = hashNode(sha256, hash, sibling);
    }
    position = half(position);
    last = half(last);
  }
  return last === 0 && bytesEqual(oldHash, oldRoot) && bytesEqual(hash, root);
}

/** Bit operations would cut a size at 32 bits. */
const half = (n: number): number => Math.floor(n / 2);

const isCount = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;

const areHashes = (hashes: readonly Uint8Array[]): boolean => hashes.every((hash) => hash.length === 32);
