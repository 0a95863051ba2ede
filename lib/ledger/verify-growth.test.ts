import { describe, expect, it } from 'vitest';

import { utf8 } from '@/lib/shared/encoding';
import { memoryTiles } from '@/lib/testing/memory-tiles';
import { nodeSha256 as sha256, nodeVerifySignature as verify, testKey } from '@/lib/testing/node-crypto';

import { signCheckpoint } from './checkpoint';
import { appendLeaf, emptyFrontier, rootOf } from './merkle/frontier';
import { emptyRoot, hashLeaf } from './merkle/hash';
import { consistencyProof } from './merkle/prove';
import { verifyGrowth } from './verify-growth';

const key = testKey('log');
const origin = 'example.com/log';
const log = { origin, publicKeys: [key.publicKey] };
const treeOf = (name: string, count: number) => Array.from({ length: count }, (_, n) => hashLeaf(sha256, utf8(`${name} ${n}`)));
const rootAt = (leaves: readonly Uint8Array[], size: number) => rootOf(sha256, leaves.slice(0, size).reduce((so, leaf) => appendLeaf(sha256, so, leaf), emptyFrontier));
const leaves = treeOf('entry', 30);
const headAt = (size: number, of = leaves) => ({ size, root: rootAt(of, size) });
const noteAt = (size: number, of = leaves) => signCheckpoint(sha256, { origin, ...headAt(size, of), extensions: [] }, key.publicKey, key.signer.sign);

const outcome = async (kept: { size: number; root: Uint8Array }, checkpoint: string, proof: readonly Uint8Array[], keys = log) => {
  const grown = await verifyGrowth(sha256, verify, kept, { checkpoint, proof }, keys);
  return grown.ok ? grown.value.size : grown.error.code;
};

describe('a log that somebody watches', () => {
  it('is found to have grown from every size that was kept', async () => {
    for (let size = 1; size <= 30; size++) {
      expect(await outcome(headAt(size), await noteAt(30), await consistencyProof(sha256, memoryTiles(leaves), size, 30))).toBe(30);
    }
    expect(await outcome({ size: 0, root: emptyRoot(sha256) }, await noteAt(30), [])).toBe(30);
  });

  it('that was cut short is found out, however well it is signed', async () => {
    expect(await outcome(headAt(20), await noteAt(19), [])).toBe('rollback_detected');
  });

  it('that was rewritten is found out, whatever proof comes with it', async () => {
    const other = treeOf('other', 30);
    const theirs = await consistencyProof(sha256, memoryTiles(other), 20, 30);
    const ours = await consistencyProof(sha256, memoryTiles(leaves), 20, 30);
    for (const proof of [theirs, ours, []]) expect(await outcome(headAt(20), await noteAt(30, other), proof)).toBe('rollback_detected');
    expect(await outcome(headAt(30), await noteAt(30, other), [])).toBe('rollback_detected');
  });

  it('is not believed under a key that is not the log’s', async () => {
    expect(await outcome(headAt(30), await noteAt(30), [], { origin, publicKeys: [testKey('another').publicKey] })).toBe('signature_invalid');
  });
});
