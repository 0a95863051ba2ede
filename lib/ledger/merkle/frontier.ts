import { fromHex, toHex, type Sha256 } from '@/lib/shared/encoding';

import { emptyRoot, hashNode } from './hash';
import { tileLeaves } from './tiles';

/**
 * All that appending needs to know of a tree: the roots of the complete subtrees that its size divides into, largest first
 * (one for each 1 in the size's binary form). At five million leaves that is at most 23 hashes.
 */
export type Frontier = { readonly size: number; readonly hashes: readonly Uint8Array[] };

/** Called for each complete tile that a leaf closes: level 1 covers 256 leaves, level 2 covers 65,536, and so on. */
export type OnTile = (level: number, index: number, root: Uint8Array) => void;

export const emptyFrontier: Frontier = { size: 0, hashes: [] };

/** The frontier after one more leaf. The given frontier stays as it was, so a transaction that rolls back loses nothing. */
export function appendLeaf(sha256: Sha256, frontier: Frontier, leafHash: Uint8Array, onTile?: OnTile): Frontier {
  const hashes = frontier.hashes.slice();
  const size = frontier.size + 1;
  let hash = leafHash;
  let width = 1;
  let tileWidth = tileLeaves;
  let level = 1;
  for (let rest = frontier.size; rest % 2 === 1; rest = (rest - 1) / 2) {
    const left = hashes.pop();
    if (!left) throw new Error('The frontier has fewer hashes than its size asks for.');
    hash = hashNode(sha256, left, hash);
    width *= 2;
    if (width === tileWidth) {
      onTile?.(level, size / tileWidth - 1, hash);
      tileWidth *= tileLeaves;
      level += 1;
    }
  }
  hashes.push(hash);
  return { size, hashes };
}

/** The root of the tree: the subtrees joined from the right. */
export function rootOf(sha256: Sha256, frontier: Frontier): Uint8Array {
  if (frontier.hashes.length === 0) return emptyRoot(sha256);
  return frontier.hashes.reduceRight((right, left) => hashNode(sha256, left, right));
}

/** How many hashes a frontier of this size has: the ones of its binary form. */
export function frontierLength(size: number): number {
  let ones = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2;
  return ones;
}

/** As stored beside the log's head: hex, largest subtree first. */
export const frontierToHex = (frontier: Frontier): string[] => frontier.hashes.map(toHex);

/** Undefined unless these are exactly the hashes that a tree of that size has. */
export function frontierFromHex(size: number, hashes: readonly string[]): Frontier | undefined {
  if (!Number.isSafeInteger(size) || size < 0 || hashes.length !== frontierLength(size)) return undefined;
  const read: Uint8Array[] = [];
  for (const text of hashes) {
    const hash = fromHex(text);
    if (hash?.length !== 32) return undefined;
    read.push(hash);
  }
  return { size, hashes: read };
}
