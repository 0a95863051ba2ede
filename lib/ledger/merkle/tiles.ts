/** Leaves under one tile of level 1. A tile of level n has 256 tiles of level n-1 below it. */
export const tileLeaves = 256;

/** Bits of height per level: 2^8 = 256. */
export const tileHeight = 8;

/**
 * Where stored hashes come from: every leaf's hash, and the roots of complete tiles. Both are written in the transaction
 * that appends, so whatever a committed size covers can be read.
 */
export type HashSource = {
  /** Hashes of the leaves `from` (included) to `to` (excluded), in order. */
  readonly leafHashes: (from: number, to: number) => Promise<readonly Uint8Array[]>;
  /** Roots of the tiles `from` to `to` of a level ≥ 1: tile `i` of level n covers leaves `i·256^n` to `(i+1)·256^n`. */
  readonly tileRoots: (level: number, from: number, to: number) => Promise<readonly Uint8Array[]>;
};

/** One read: hashes `from` to `to` of a level, 0 being the leaves. */
export type TileRead = { readonly level: number; readonly from: number; readonly to: number };
