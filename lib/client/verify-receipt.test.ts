import { beforeAll, describe, expect, it } from 'vitest';

import { inclusionProof } from '@/lib/ledger/merkle/prove';
import { writeInclusionDocument } from '@/lib/ledger/inclusion-document';
import { leafHashOf, textOf, type Leaf } from '@/lib/ledger/leaf';
import { readStatement } from '@/lib/ledger/statement';
import { envelopeText } from '@/lib/shared/dsse';
import { digestOf, fromBase64 } from '@/lib/shared/encoding';
import type { KeyId } from '@/lib/shared/ids';
import { LedgerBuilder, testKeys } from '@/lib/testing/ledger-builder';
import { storyRoot } from '@/lib/testing/ledger-story';
import { memoryTiles } from '@/lib/testing/memory-tiles';
import { signTrustRoot } from '@/lib/authority/sign-documents';

import { sha256 } from './hash';
import { verifyReceipt, type ReceiptToCheck } from './verify-receipt';

let good: ReceiptToCheck;
let other: ReceiptToCheck;
let fingerprint: string;

const started = { role: 'plane', key: testKeys.plane.signer.keyId as KeyId, product_version: 'test' } as const;

beforeAll(async () => {
  const log = new LedgerBuilder();
  const root = await signTrustRoot(storyRoot, [testKeys.owner.signer]);
  fingerprint = digestOf(sha256, fromBase64(root.payload) ?? new Uint8Array());
  for (let i = 0; i < 5; i++) await log.append('service_started', started);
  await log.checkpoint();
  const hashes = log.leaves.map((leaf) => leafHashOf(sha256, textOf(leaf)));
  const at = async (index: number): Promise<ReceiptToCheck> => {
    const leaf = log.leaves[index];
    const before = log.leaves[index - 1];
    if (!leaf) throw new Error(`No leaf ${index}.`);
    const path = await inclusionProof(sha256, memoryTiles(hashes), index, log.size);
    return {
      row: { index, id: String(readFrom(leaf)?.predicate.receipt), kind: 'service_started', at: String(readFrom(leaf)?.predicate.at), session: null, action: null, agent: null, tool: null, operation: null, decision: null, revision: null, rules: [] },
      envelope: envelopeText(leaf.envelope),
      leaf: textOf(leaf),
      previousLeaf: before ? textOf(before) : null,
      proof: writeInclusionDocument({ index, path, checkpoint: log.checkpoints[0] ?? '' }),
      trust_roots: [envelopeText(root)],
    };
  };
  good = await at(3);
  other = await at(2);
});

const readFrom = (leaf: Leaf) => {
  const body = readStatement(sha256, leaf.envelope);
  return body.ok ? body.value : undefined;
};

const found = async (changes: Partial<ReceiptToCheck>, known: string | null = fingerprint) =>
  Object.fromEntries((await verifyReceipt({ ...good, ...changes }, known)).map(({ key, state }) => [key, state]));

const allPass = { trust_root: 'pass', signature: 'pass', statement: 'pass', row: 'pass', leaf: 'pass', link: 'pass', inclusion: 'pass' };

describe('checking one receipt in the browser', () => {
  it('passes every check on a true receipt whose root this browser knows', async () => {
    expect(await found({})).toEqual(allPass);
  });

  it('never passes the root without a fingerprint of its own, however consistent the rest', async () => {
    expect(await found({}, null)).toEqual({ ...allPass, trust_root: 'skipped' });
  });

  it('fails the root under another fingerprint, and then believes no key', async () => {
    expect(await found({}, 'f'.repeat(64))).toMatchObject({ trust_root: 'fail', signature: 'skipped', inclusion: 'skipped' });
  });

  it('finds another receipt’s envelope, leaf, predecessor and proof', async () => {
    expect(await found({ envelope: other.envelope })).toMatchObject({ leaf: 'fail' });
    expect(await found({ leaf: other.leaf })).toMatchObject({ leaf: 'fail', inclusion: 'fail' });
    expect(await found({ previousLeaf: good.leaf })).toMatchObject({ link: 'fail' });
    expect(await found({ previousLeaf: other.previousLeaf })).toMatchObject({ link: 'fail' });
    expect(await found({ proof: other.proof })).toMatchObject({ inclusion: 'fail' });
  });

  it.each([
    ['kind', { kind: 'export_made' }, 'The list says kind export_made; signed is service_started.'],
    ['time', { at: '2030-01-01T00:00:59.000Z' }, /^The list says time 2030-01-01T00:00:59.000Z; signed is /],
  ] as const)('finds a list whose %s was changed beside the envelope, and says what was signed', async (_what, changed, words) => {
    const checks = await verifyReceipt({ ...good, row: { ...good.row, ...changed } }, fingerprint);
    expect(checks.filter(({ state }) => state === 'fail')).toEqual([{ key: 'row', state: 'fail', detail: expect.stringMatching(words) }]);
  });

  it('fails where receipts are missing without which no proof can be made', async () => {
    expect(await found({ proof: '' })).toEqual({ ...allPass, inclusion: 'fail' });
  });

  it('says what it could not check instead of passing it', async () => {
    expect(await found({ previousLeaf: null, proof: null })).toMatchObject({ link: 'skipped', inclusion: 'skipped' });
  });

  it('passes no receipt of which any single character was changed', async () => {
    for (const part of ['envelope', 'leaf', 'proof'] as const) {
      const text = good[part] ?? '';
      // Every seventh place keeps the test quick and still meets each part of the text.
      for (let at = 0; at < text.length; at += 7) {
        const changed = `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`;
        const states = Object.values(await found({ [part]: changed }));
        expect(states, `${part} at ${at}`).toContain('fail');
      }
    }
  });
});
