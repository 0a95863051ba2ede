import { describe, expect, test } from 'vitest';

import { appendLeaf, emptyFrontier } from '@/lib/ledger/merkle/frontier';
import { nodeSha256 } from '@/lib/testing/node-crypto';

import { packFrontier, readHead, unpackFrontier, zeroHash } from './head-row';

const grown = Array.from({ length: 300 }).reduce<typeof emptyFrontier>((frontier) => appendLeaf(nodeSha256, frontier, zeroHash), emptyFrontier);

describe('the head row', () => {
  test('a frontier is read back as it was packed, the empty one too', () => {
    for (const frontier of [emptyFrontier, grown]) expect(unpackFrontier(frontier.size, packFrontier(frontier))).toEqual(frontier);
  });

  test.each([
    ['of another size', 301, packFrontier(grown)],
    ['with a hash missing', 300, packFrontier(grown).slice(32)],
    ['with half a hash', 300, packFrontier(grown).slice(16)],
    ['that is empty for a log that is not', 1, new Uint8Array()],
    ['that is not empty for an empty log', 0, zeroHash],
  ])('a frontier %s is refused', (_name, size, packed) => {
    expect(unpackFrontier(size, packed)).toBeUndefined();
  });

  test('a damaged head throws, because appending to it would fork the log', () => {
    const row = { epoch: '0', size: '300', frontier: packFrontier(grown), last_hash: zeroHash, logged_at: new Date(0) };
    expect(readHead(row)).toMatchObject({ epoch: 0n, loggedAt: '1970-01-01T00:00:00.000Z' });
    expect(() => readHead({ ...row, size: '299' })).toThrow('damaged');
    expect(() => readHead({ ...row, last_hash: new Uint8Array(31) })).toThrow('damaged');
  });
});
