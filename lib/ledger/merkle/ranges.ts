import { tileHeight, tileLeaves, type TileRead } from './tiles';

/** Leaves `from` (included) to `to` (excluded) whose subtree's root a proof names. */
export type LeafRange = { readonly from: number; readonly to: number };

/** The subtrees of an inclusion proof, leaf's sibling first. Source: RFC 6962, section 2.1.1. Needs 0 ≤ index < size. */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  requirePosition(index, size);
  const path = (from: number, to: number): LeafRange[] => {
    if (to - from === 1) return [];
    const middle = from + largestPowerBelow(to - from);
    return index < middle
      ? [...path(from, middle), { from: middle, to }]
      : [...path(middle, to), { from, to: middle }];
  };
  return path(0, size);
}

/** The subtrees of a consistency proof. Source: RFC 6962, section 2.1.2. Needs 0 < oldSize ≤ size; nothing to prove from an empty tree. */
export function consistencyRanges(oldSize: number, size: number): LeafRange[] {
  if (oldSize === 0 && Number.isSafeInteger(size) && size >= 0) return [];
  requirePosition(oldSize - 1, size);
  const subproof = (from: number, to: number, whole: boolean): LeafRange[] => {
    if (oldSize === to) return whole ? [] : [{ from, to }];
    const middle = from + largestPowerBelow(to - from);
    return oldSize <= middle
      ? [...subproof(from, middle, whole), { from: middle, to }]
      : [...subproof(middle, to, false), { from, to: middle }];
  };
  return subproof(0, size, true);
}

/** The complete subtrees that a range divides into, largest first, each as the stored hashes that make it up. */
export function readsOf(range: LeafRange): TileRead[] {
  const reads: TileRead[] = [];
  for (let from = range.from; from < range.to; ) {
    const width = largestPowerAtMost(range.to - from);
    const level = Math.floor(Math.log2(width) / tileHeight);
    const unit = tileLeaves ** level;
    reads.push({ level, from: from / unit, to: (from + width) / unit });
    from += width;
  }
  return reads;
}

/** How many stored hashes the inclusion proof of one leaf reads: what stays small however long the log grows. */
export function proofReads(index: number, size: number): number {
  return inclusionRanges(index, size)
    .flatMap(readsOf)
    .reduce((sum, read) => sum + (read.to - read.from), 0);
}

function largestPowerAtMost(n: number): number {
  let power = 1;
  while (power * 2 <= n) power *= 2;
  return power;
}

/** The `k` of RFC 6962: the largest power of two that is smaller than n. Needs n > 1. */
const largestPowerBelow = (n: number): number => largestPowerAtMost(n - 1);

function requirePosition(index: number, size: number): void {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) {
    throw new RangeError(`There is no leaf ${index} in a tree of ${size}.`);
  }
}
