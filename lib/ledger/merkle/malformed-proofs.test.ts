import { describe, expect, it } from 'vitest';

import { nodeSha256 as sha256 } from '@/lib/testing/node-crypto';
import { memoryTiles } from '@/lib/testing/memory-tiles';
import { utf8 } from '@/lib/shared/encoding';

import { appendLeaf, emptyFrontier, rootOf } from './frontier';
import { emptyRoot, hashLeaf } from './hash';
import { consistencyProof, inclusionProof } from './prove';
import { verifyConsistency, verifyInclusion } from './verify-proof';

const most = 24;
const leaves = Array.from({ length: most }, (_, n) => hashLeaf(sha256, utf8(`leaf ${n}`)));
const leafAt = (n: number) => leaves[n] ?? new Uint8Array();
const roots = Array.from({ length: most + 1 }, (_, size) => rootOf(sha256, leaves.slice(0, size).reduce((so, leaf) => appendLeaf(sha256, so, leaf), emptyFrontier)));
const rootAt = (size: number) => roots[size] ?? new Uint8Array();
const source = memoryTiles(leaves);
const junk = hashLeaf(sha256, utf8('junk'));
const short = new Uint8Array(0);

/** Every way to get a path wrong that leaves it a list of byte strings. */
function wrongPaths(path: readonly Uint8Array[], known: readonly Uint8Array[]): (readonly Uint8Array[])[] {
  const flipped = path.map((hash, at) => path.map((one, i) => (i === at ? hash.map((byte, n) => (n === 31 ? byte ^ 1 : byte)) : one)));
  const cut = path.map((hash, at) => path.map((one, i) => (i === at ? hash.slice(1) : one)));
  const swapped = path.slice(1).map((_, at) => path.map((one, i) => (i === at ? path[at + 1] : i === at + 1 ? path[at] : one) ?? junk));
  const longer = [junk, short, ...known, ...path.slice(0, 1)].flatMap((extra) => [[extra, ...path], [...path, extra]]);
  return [...flipped, ...cut, ...swapped, ...longer, ...(path.length > 0 ? [path.slice(1), path.slice(0, -1), [], [...path, ...path]] : [])];
}

describe('malformed inclusion proofs', () => {
  it('no altered path, leaf, root, index or size is accepted in any small tree', async () => {
    for (let size = 1; size <= most; size++) {
      for (let index = 0; index < size; index++) {
        const path = await inclusionProof(sha256, source, index, size);
        const [leaf, root] = [leafAt(index), rootAt(size)];
        expect(verifyInclusion(sha256, index, size, leaf, path, root)).toBe(true);
        for (const wrong of wrongPaths(path, [root, leaf])) expect(verifyInclusion(sha256, index, size, leaf, wrong, root), `${index} of ${size}`).toBe(false);
        for (const other of [junk, short, emptyRoot(sha256), root.slice(1), new Uint8Array([...root, 0])]) {
          expect(verifyInclusion(sha256, index, size, leaf, path, other)).toBe(false);
          expect(verifyInclusion(sha256, index, size, other, path, root)).toBe(false);
        }
        for (const at of [index - 1, index + 1, size, size + 1, -0.5, index + 0.5, 2 ** 53, Number.NaN, Infinity, 18446744073709551615]) {
          expect(verifyInclusion(sha256, at, size, leaf, path, root), `${at} for ${index} of ${size}`).toBe(false);
        }
        expect(verifyInclusion(sha256, index, 0, leaf, path, root)).toBe(false);
      }
    }
  });

  it('the empty tree holds nothing', () => {
    for (const root of [emptyRoot(sha256), short, junk]) {
      for (const leaf of [emptyRoot(sha256), short, junk]) {
        for (const [index, size] of [[0, 0], [1, 0], [2, 1]] as const) expect(verifyInclusion(sha256, index, size, leaf, [], root)).toBe(false);
      }
    }
    expect(verifyInclusion(sha256, 0, 1, short, [], short)).toBe(false);
  });
});

describe('malformed consistency proofs', () => {
  it('no altered path, root or size is accepted between any two small trees', async () => {
    for (let size = 2; size <= most; size++) {
      for (let old = 1; old < size; old++) {
        const path = await consistencyProof(sha256, source, old, size);
        const [oldRoot, root] = [rootAt(old), rootAt(size)];
        const check = (a: number, b: number, from: Uint8Array, to: Uint8Array, proof: readonly Uint8Array[] = path) => verifyConsistency(sha256, a, b, from, to, proof);
        expect(check(old, size, oldRoot, root)).toBe(true);
        for (const wrong of wrongPaths(path, [oldRoot, root])) expect(check(old, size, oldRoot, root, wrong), `${old} to ${size}`).toBe(false);
        for (const other of [junk, short, emptyRoot(sha256), root.slice(1)]) {
          expect(check(old, size, other, root)).toBe(false);
          expect(check(old, size, oldRoot, other)).toBe(false);
        }
        expect(check(old, size, root, oldRoot)).toBe(false);
        expect(check(size, old, oldRoot, root)).toBe(false);
        for (const from of [0, -1, old - 1, old + 1, size, old + 0.5, Number.NaN, 2 ** 53]) {
          if (from !== old) expect(check(from, size, oldRoot, root), `${from} for ${old} to ${size}`).toBe(false);
        }
        expect(check(old, 2 ** 53, oldRoot, root)).toBe(false);
      }
    }
  });

  it('between equal sizes, zero included, exactly equal roots and an empty proof are consistent', () => {
    for (const size of [0, 1, 5]) {
      const root = rootAt(size);
      expect(verifyConsistency(sha256, size, size, root, root, [])).toBe(true);
      expect(verifyConsistency(sha256, size, size, root, junk, [])).toBe(false);
      expect(verifyConsistency(sha256, size, size, root, root, [root])).toBe(false);
    }
  });

  it('nothing is proved from the empty tree to a larger one', () => {
    const empty = emptyRoot(sha256);
    for (const proof of [[], [empty], [rootAt(1)]]) {
      for (const root of [empty, rootAt(1), junk]) expect(verifyConsistency(sha256, 0, 1, empty, root, proof)).toBe(false);
    }
  });

  it('sizes up to the largest exact integer are told apart', () => {
    const largest = Number.MAX_SAFE_INTEGER;
    expect(verifyConsistency(sha256, largest, largest, junk, junk, [])).toBe(true);
    expect(verifyConsistency(sha256, largest - 1, largest, junk, junk, [])).toBe(false);
    expect(verifyConsistency(sha256, largest + 1, largest + 1, junk, junk, [])).toBe(false);
    expect(verifyInclusion(sha256, largest - 1, largest, junk, [], junk)).toBe(false);
  });
});
