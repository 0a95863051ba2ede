import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nodeSha256 as sha256 } from '@/lib/testing/node-crypto';
import { memoryTiles } from '@/lib/testing/memory-tiles';
import { fromBase64, toBase64, toHex, utf8 } from '@/lib/shared/encoding';

import { appendLeaf, emptyFrontier, frontierFromHex, frontierToHex, rootOf, type Frontier } from './frontier';
import { emptyRoot, hashLeaf, hashNode } from './hash';
import { consistencyProof, frontierHashes, inclusionProof } from './prove';
import { proofReads } from './ranges';
import { verifyConsistency, verifyInclusion } from './verify-proof';

const leaf = (n: number) => hashLeaf(sha256, utf8(`leaf ${n}`));
const leaves = Array.from({ length: 1000 }, (_, n) => leaf(n));

/** The definition of RFC 6962, word by word, to hold the incremental one against. */
function naiveRoot(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 0) return emptyRoot(sha256);
  if (hashes.length === 1) return hashes[0] as Uint8Array;
  let k = 1;
  while (k * 2 < hashes.length) k *= 2;
  return hashNode(sha256, naiveRoot(hashes.slice(0, k)), naiveRoot(hashes.slice(k)));
}

const grow = (count: number): Frontier =>
  leaves.slice(0, count).reduce((frontier, hash) => appendLeaf(sha256, frontier, hash), emptyFrontier);

describe('Merkle tree', () => {
  it('has the root of the empty string without leaves, and the published hash of an empty leaf', () => {
    expect(toHex(rootOf(sha256, emptyFrontier))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(toBase64(hashLeaf(sha256, new Uint8Array(0)))).toBe('bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=');
  });

  it('grown leaf by leaf has the root that the definition gives, at every size', () => {
    let frontier = emptyFrontier;
    for (let size = 0; size <= 300; size++) {
      expect(rootOf(sha256, frontier)).toEqual(naiveRoot(leaves.slice(0, size)));
      frontier = appendLeaf(sha256, frontier, leaves[size] as Uint8Array);
    }
  });

  it('reports every tile exactly when its last leaf arrives', () => {
    const seen: string[] = [];
    let frontier = emptyFrontier;
    const zero = new Uint8Array(32);
    for (let n = 0; n < 65_536; n++) {
      frontier = appendLeaf(sha256, frontier, zero, (level, index) => seen.push(`${level}/${index}@${n + 1}`));
    }
    expect(seen).toHaveLength(257);
    expect(seen.slice(0, 2)).toEqual(['1/0@256', '1/1@512']);
    expect(seen.slice(-2)).toEqual(['1/255@65536', '2/0@65536']);
  });

  it('appending leaves the frontier it grew from as it was', () => {
    const before = grow(7);
    const hashes = frontierToHex(before);
    appendLeaf(sha256, before, leaf(7));
    expect(frontierToHex(before)).toEqual(hashes);
    expect(before.size).toBe(7);
  });

  it('a stored frontier with a hash too many, too few or too short is refused', () => {
    const stored = frontierToHex(grow(7));
    expect(frontierFromHex(7, stored)).toEqual(grow(7));
    expect(frontierFromHex(8, stored)).toBeUndefined();
    expect(frontierFromHex(7, stored.slice(1))).toBeUndefined();
    expect(frontierFromHex(7, [...stored.slice(1), 'ab'])).toBeUndefined();
    expect(frontierFromHex(-1, [])).toBeUndefined();
  });
});

describe('proofs', () => {
  const source = memoryTiles(leaves);

  it('every leaf of every small tree is proved, and the proof holds for no other leaf, index or size', async () => {
    for (let size = 1; size <= 40; size++) {
      const root = rootOf(sha256, grow(size));
      for (let index = 0; index < size; index++) {
        const proof = await inclusionProof(sha256, source, index, size);
        expect(verifyInclusion(sha256, index, size, leaves[index] as Uint8Array, proof, root)).toBe(true);
        expect(verifyInclusion(sha256, index, size, leaves[index + 1] as Uint8Array, proof, root)).toBe(false);
        expect(verifyInclusion(sha256, index + 1, size, leaves[index] as Uint8Array, proof, root)).toBe(false);
        expect(verifyInclusion(sha256, index, size, leaves[index] as Uint8Array, proof.slice(1), root)).toBe(proof.length === 0);
      }
    }
  });

  it('every small tree is proved to begin every later one, and no other root is', async () => {
    for (let size = 1; size <= 40; size++) {
      for (let old = 1; old <= size; old++) {
        const proof = await consistencyProof(sha256, source, old, size);
        const [oldRoot, root] = [rootOf(sha256, grow(old)), rootOf(sha256, grow(size))];
        expect(verifyConsistency(sha256, old, size, oldRoot, root, proof)).toBe(true);
        expect(verifyConsistency(sha256, old, size, leaf(0), root, proof)).toBe(old === 1);
        expect(verifyConsistency(sha256, old, size, oldRoot, leaf(99), proof)).toBe(false);
      }
    }
  });

  it('proofs across tiles read from stored tile roots and still hold', async () => {
    const random = fc.integer({ min: 1, max: leaves.length }).chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1)));
    await fc.assert(
      fc.asyncProperty(random, async ([size, index]) => {
        const root = rootOf(sha256, grow(size));
        const inclusion = await inclusionProof(sha256, source, index, size);
        expect(verifyInclusion(sha256, index, size, leaves[index] as Uint8Array, inclusion, root)).toBe(true);
        const consistency = await consistencyProof(sha256, source, index + 1, size);
        expect(verifyConsistency(sha256, index + 1, size, rootOf(sha256, grow(index + 1)), root, consistency)).toBe(true);
        const hashes = await frontierHashes(sha256, source, size);
        expect(hashes).toEqual(grow(size).hashes);
      }),
      { numRuns: 60 },
    );
  });

  it('a proof at five million leaves reads fewer stored hashes than three tiles hold', () => {
    for (const index of [0, 1, 255, 256, 65_535, 1_234_567, 4_194_303, 4_194_304, 4_999_999]) {
      expect(proofReads(index, 5_000_000)).toBeLessThan(3 * 256);
    }
  });

  it('sizes beyond 32 bits and beyond exact integers neither wrap nor pass', () => {
    const hash = leaf(1);
    expect(verifyInclusion(sha256, 2 ** 40, 2 ** 40 + 1, hash, [hash], hashNode(sha256, hash, hash))).toBe(true);
    expect(verifyInclusion(sha256, 2 ** 53, 2 ** 53 + 2, hash, [], hash)).toBe(false);
    expect(verifyInclusion(sha256, 0.5, 1, hash, [], hash)).toBe(false);
    expect(verifyConsistency(sha256, -1, 1, hash, hash, [])).toBe(false);
  });

  it('a source that answers with too few hashes is a fault, not a proof', async () => {
    const short = { ...source, leafHashes: async () => [] };
    await expect(inclusionProof(sha256, short, 0, 3)).rejects.toThrow('hashes');
  });

  it('retyped public vectors hold', () => {
    const one = bytes('bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=');
    const eight = bytes('XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=');
    const proof = [
      'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=',
      'Xwg/ChozygdqlSeYMlgNs+DvRYS9/x9UyKNg9Q3jAx4=',
      'a0eq8p7jwq+a+Im8H7klTavTEXfxYjLdaqsDXKOb9uQ=',
    ].map(bytes);
    expect(verifyConsistency(sha256, 1, 8, one, eight, proof)).toBe(true);
    expect(verifyConsistency(sha256, 1, 8, one, eight, [])).toBe(false);
    expect(verifyInclusion(sha256, 0, 8, one, proof, eight)).toBe(true);
    expect(verifyInclusion(sha256, 1, 8, one, proof, eight)).toBe(false);
  });
});

const vectors = path.resolve(import.meta.dirname, '../../../../shared/vectors/merkle');

describe.skipIf(!existsSync(vectors))('public Merkle vectors (skipped: ../shared/vectors is not there)', () => {
  type Vector = { desc: string; wantErr: boolean; root: string; root1: string; root2: string; leafHash: string; proof: string[] | null } & {
    [name in 'leafIdx' | 'treeSize' | 'size1' | 'size2']: number;
  };
  const read = (name: string) => JSON.parse(readFileSync(path.join(vectors, name), 'utf8')) as Vector[];

  it('every inclusion vector is accepted or refused as it says', () => {
    for (const v of read('inclusion.json')) {
      const proof = (v.proof ?? []).map(bytes);
      expect(verifyInclusion(sha256, v.leafIdx, v.treeSize, bytes(v.leafHash), proof, bytes(v.root)), v.desc).toBe(!v.wantErr);
    }
  });

  it('every consistency vector is accepted or refused as it says', () => {
    for (const v of read('consistency.json')) {
      const proof = (v.proof ?? []).map(bytes);
      expect(verifyConsistency(sha256, v.size1, v.size2, bytes(v.root1), bytes(v.root2), proof), v.desc).toBe(!v.wantErr);
    }
  });
});

function bytes(base64: string): Uint8Array {
  const read = fromBase64(base64);
  if (!read) throw new Error(`Not base64: ${base64}`);
  return read;
}
