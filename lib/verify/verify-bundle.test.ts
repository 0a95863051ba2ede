import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { bundleBytes, type Bundle } from '@/lib/ledger/bundle';
import { sealBundle } from '@/lib/ledger/bundle-manifest';
import { asJson } from '@/lib/shared/as-json';
import { canonicalBytes } from '@/lib/shared/canonical-json';
import type { Digest, SessionId } from '@/lib/shared/ids';
import { LedgerBuilder, testKeys, testTime, testWorkspace } from '@/lib/testing/ledger-builder';
import { allowedAction, approvedAction, beginStory, decided, session, storyFingerprint, storyRoot, wholeStory } from '@/lib/testing/ledger-story';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature, testKey } from '@/lib/testing/node-crypto';

import type { CheckId, Report } from './report';
import { verifyBundle } from './verify-bundle';

const options = { sha256, verifySignature, root: storyFingerprint };

const failures = (report: Report): readonly CheckId[] => report.checks.filter(({ state }) => state === 'fail').map(({ id }) => id);
const detailOf = (report: Report, id: CheckId): string => report.checks.find((check) => check.id === id)?.detail ?? '';
const flip = (bytes: Uint8Array, at: number, bit: number): Uint8Array => {
  const changed = bytes.slice();
  changed[at] = (changed[at] ?? 0) ^ (1 << bit);
  return changed;
};

/** What an attacker who holds an exporter's key does: change a part and sign the manifest over it again. */
async function resealed(bundle: Bundle, change: Partial<Bundle>, range?: { from: number; to: number; size: number }, selected?: SessionId): Promise<Uint8Array> {
  const { schema: _schema, manifest: _manifest, ...parts } = { ...bundle, ...change };
  const size = range?.size ?? Number(bundle.checkpoints.at(-1)?.split('\n')[1]);
  const { from, to } = range ?? { from: 0, to: parts.leaves.length };
  const facts = { workspace: testWorkspace, range: { from, to }, size, created_at: testTime(0), product_version: 'test', ...(selected && { session: selected }) };
  return bundleBytes(await sealBundle(sha256, parts, facts, testKeys.console.signer));
}

let story: LedgerBuilder;
let bundle: Bundle;
let bytes: Uint8Array;

beforeAll(async () => {
  story = await wholeStory();
  bundle = await story.bundle();
  bytes = bundleBytes(bundle);
});

describe('a bundle of a whole log', () => {
  it('is verified with the root’s fingerprint', async () => {
    const report = await verifyBundle(bytes, options);
    expect(failures(report)).toEqual([]);
    expect(report.verdict).toBe('verified');
    expect(report.root).toBe(storyFingerprint);
    expect(report.pairing.map(({ verdict }) => verdict)).toEqual(['completed', 'completed', 'denied']);
    expect(report.limits.length).toBeGreaterThan(3);
  });

  it('without the fingerprint is consistent, but its issuer is not verified', async () => {
    const report = await verifyBundle(bytes, { sha256, verifySignature });
    expect(report.verdict).toBe('consistent_issuer_not_verified');
    expect(failures(report)).toEqual([]);
  });

  it('a checkpoint key that the reader knows stands in for the fingerprint, and another one does not', async () => {
    const known = await verifyBundle(bytes, { sha256, verifySignature, checkpointKey: testKeys.plane.publicKey });
    expect(known.verdict).toBe('verified');
    const other = await verifyBundle(bytes, { sha256, verifySignature, checkpointKey: testKey('stranger').publicKey });
    expect(other.verdict).toBe('consistent_issuer_not_verified');
  });

  it('another fingerprint makes it fail at the trust root', async () => {
    const report = await verifyBundle(bytes, { ...options, root: '0'.repeat(64) as Digest });
    expect(report.verdict).toBe('failed');
    expect(failures(report)).toContain('trust_root');
  });

  it('verifies alike with all its content withheld, and counts what cannot be re-derived', async () => {
    const report = await verifyBundle(await story.bytes({ withhold: true }), { ...options, rederive: () => ({ state: 'reproduced', detail: '' }) });
    expect(report.verdict).toBe('verified');
    expect(report.rederived).toMatchObject({ reproduced: 0, cannot: 3 });
    expect(report.rederived.notes[0]?.detail).toContain('withheld');
  });

  it('a decision that the engine does not reach again makes it fail, at its position', async () => {
    const report = await verifyBundle(bytes, {
      ...options,
      rederive: ({ decided }) => (decided.decision === 'DENY' ? { state: 'differs', detail: 'ALLOW' } : { state: 'reproduced', detail: '' }),
    });
    expect(report.verdict).toBe('failed');
    expect(report.rederived).toMatchObject({ reproduced: 2, differs: 1 });
    expect(report.checks.find(({ id }) => id === 'rederivation')?.firstBad).toBe(14);
  });
});

describe('a part of a log', () => {
  it('a range that begins later is verified from the hashes before it', async () => {
    for (const [from, to] of [[5, 9], [1, 14], [13, 14], [0, 3]] as const) {
      const report = await verifyBundle(await story.bytes({ from, to }), options);
      expect(failures(report), `${from} to ${to}`).toEqual([]);
      expect(report.verdict).toBe('verified');
    }
  });

  it('one session’s receipts are verified one by one, and completeness is not claimed', async () => {
    const report = await verifyBundle(await story.bytes({ session }), options);
    expect(failures(report)).toEqual([]);
    expect(report.checks.find(({ id }) => id === 'completeness')?.state).toBe('unknown');
  });

  it('a false hash before the range, a false path, and a receipt of another position are refused', async () => {
    const part = await story.bundle({ from: 5, to: 9 });
    const range = { from: 5, to: 9, size: story.size };
    const other = '1'.repeat(64) as Digest;
    const frontier = await verifyBundle(await resealed(part, { frontier: [other, ...part.frontier.slice(1)] }, range), options);
    expect(failures(frontier)).toContain('tree');
    const anchors = part.anchors.map((anchor, at) => (at === 0 ? { ...anchor, path: [other, ...anchor.path.slice(1)] } : anchor));
    expect(failures(await verifyBundle(await resealed(part, { anchors }, range), options))).toContain('tree');
    const moved = part.anchors.map((anchor, at) => (at === 0 ? { ...anchor, leaf: { ...anchor.leaf, index: 4 } } : anchor));
    expect(failures(await verifyBundle(await resealed(part, { anchors: moved }, range), options))).toContain('tree');
  });
});

describe('any single changed byte is refused', () => {
  it('anywhere in a bundle of one receipt, at every position', async () => {
    const small = new LedgerBuilder();
    const whole = await beginStory();
    small.trustRoots.push(...whole.trustRoots);
    const first = whole.leaves[0];
    if (!first) throw new Error('The story has no first receipt.');
    await small.appendEnvelope(first.envelope);
    await small.checkpoint();
    const file = await small.bytes();
    expect((await verifyBundle(file, options)).verdict).toBe('verified');
    for (let at = 0; at < file.length; at++) {
      const { verdict } = await verifyBundle(flip(file, at, at % 8), options);
      if (verdict !== 'failed' && verdict !== 'unreadable') expect.fail(`Byte ${at} may be changed: ${verdict}`);
    }
  }, 120_000);

  it('anywhere in a bundle with approvals and contents, and without a fingerprint too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), fc.boolean(), async (at, bit, withRoot) => {
        const { verdict } = await verifyBundle(flip(bytes, at, bit), withRoot ? options : { sha256, verifySignature });
        expect(['failed', 'unreadable']).toContain(verdict);
      }),
      { numRuns: 250 },
    );
  }, 60_000);

  it('a byte more, a byte less, and nothing at all are unreadable', async () => {
    for (const file of [bytes.slice(0, -1), new Uint8Array([...bytes, 10]), new Uint8Array(0)]) {
      expect((await verifyBundle(file, options)).verdict).toBe('unreadable');
    }
  });

  it('a value nested so deep that walking it would exhaust the stack is unreadable', async () => {
    for (const depth of [200, 5_000, 200_000]) {
      const contents = `[{"digest":"${'0'.repeat(64)}","salt":"${'A'.repeat(22)}==","value":${'['.repeat(depth)}${']'.repeat(depth)}}]`;
      const file = new TextDecoder().decode(bytes).replace(/"contents":\[.*?\],"frontier"/, `"contents":${contents},"frontier"`);
      expect(file).toContain('[[[[');
      expect((await verifyBundle(new TextEncoder().encode(file), options)).verdict).toBe('unreadable');
    }
  });

  it('a field that no bundle has is unreadable', async () => {
    const file = canonicalBytes(asJson({ ...bundle, note: 'hello' }));
    expect((await verifyBundle(file, options)).verdict).toBe('unreadable');
  });
});

describe('what an attacker with an exporter’s key changes', () => {
  it.each<[string, (b: Bundle) => Partial<Bundle>, CheckId]>([
    ['a swapped pair of receipts', (b) => ({ leaves: b.leaves.map((leaf, at) => b.leaves[at === 5 ? 6 : at === 6 ? 5 : at] ?? leaf) }), 'chain'],
    ['a missing tail', (b) => ({ leaves: b.leaves.slice(0, -2) }), 'tree'],
    ['a receipt replayed at another position', (b) => ({ leaves: b.leaves.map((leaf, at) => (at === 7 ? { ...leaf, envelope: b.leaves[4]?.envelope ?? leaf.envelope } : leaf)) }), 'receipts'],
    ['no checkpoint', () => ({ checkpoints: [] }), 'checkpoints'],
    ['checkpoints in another order', (b) => ({ checkpoints: [...b.checkpoints].reverse() }), 'consistency'],
    ['a trust root left out', () => ({ trust_roots: [] }), 'trust_root'],
    ['a roster left out', () => ({ rosters: [] }), 'rosters'],
    ['a policy left out', () => ({ policies: [] }), 'policies'],
    ['a changed content', (b) => ({ contents: b.contents.map((item, at) => (at === 0 ? { ...item, value: 'other' } : item)) }), 'contents'],
    ['a content that no receipt names', (b) => ({ contents: [...b.contents, { ...b.contents[0], digest: '5'.repeat(64) as Digest } as Bundle['contents'][number]] }), 'contents'],
    ['a receipt without its signature’s key', (b) => ({ leaves: b.leaves.map((leaf, at) => (at === 2 ? { ...leaf, envelope: { ...leaf.envelope, signatures: leaf.envelope.signatures.map((one) => ({ ...one, keyid: '0'.repeat(64) })) } } : leaf)) }), 'receipts'],
  ])('%s is found', async (_what, change, check) => {
    const report = await verifyBundle(await resealed(bundle, change(bundle)), options);
    expect(report.verdict).toBe('failed');
    expect(failures(report)).toContain(check);
  });

  it('a stretch of the log that calls itself a selection, and would be judged by fewer rules, is no bundle', async () => {
    const size = bundle.leaves.length;
    for (const range of [{ from: 0, to: size, size }, { from: size, to: size, size }, { from: 0, to: 0, size }]) {
      const report = await verifyBundle(await resealed(bundle, {}, range, session), options);
      expect(report.verdict, JSON.stringify(range)).toBe('unreadable');
      expect(detailOf(report, 'decoding')).toContain('manifest');
    }
  });

  it('a manifest by a key that the root does not delegate is refused', async () => {
    const report = await verifyBundle(await story.bytes({ signer: testKey('stranger') }), options);
    expect(failures(report)).toEqual(['manifest']);
  });

  it('an empty log is refused: a log begins with its trust root', async () => {
    const empty = new LedgerBuilder();
    empty.trustRoots.push(...story.trustRoots);
    await empty.checkpoint();
    expect(failures(await verifyBundle(await empty.bytes(), options))).toEqual(expect.arrayContaining(['completeness', 'trust_root']));
  });

  it('a checkpoint by the console’s key does not count', async () => {
    const ledger = await beginStory();
    await ledger.checkpoint(testKeys.console);
    expect(failures(await verifyBundle(await ledger.bytes(), options))).toContain('checkpoints');
  });

  it('a permit by the console’s key does not count', async () => {
    const forged = await beginStory();
    await forged.append('action_decided', decided(forged, 1, 1), testKeys.console);
    await forged.checkpoint();
    const report = await verifyBundle(await forged.bytes(), options);
    expect(detailOf(report, 'receipts')).toContain('plane did not sign');
  });

  it('a receipt by a key outside the positions it was delegated for is refused, at that position', async () => {
    const root = { ...storyRoot, services: storyRoot.services.map((one) => (one.role === 'plane' ? { ...one, to: 4 } : one)) };
    const ledger = await beginStory(root);
    await allowedAction(ledger, 1, 1);
    await ledger.checkpoint();
    const report = await verifyBundle(await ledger.bytes(), { sha256, verifySignature });
    expect(report.checks.find(({ id }) => id === 'receipts')).toMatchObject({ state: 'fail', firstBad: 5 });
  });
});

describe('a log that the reader knows from elsewhere', () => {
  it('an exported checkpoint of this log agrees, and one of a rewritten log does not', async () => {
    const known = [{ size: 7, root: story.root(7) }];
    expect((await verifyBundle(bytes, { ...options, known })).verdict).toBe('verified');
    const rewritten = await beginStory();
    await approvedAction(rewritten, 9, 1);
    const report = await verifyBundle(bytes, { ...options, known: [{ size: 7, root: rewritten.root(7) }] });
    expect(failures(report)).toEqual(['consistency']);
  });

  it('a tail that was cut off after the known checkpoint is found', async () => {
    const report = await verifyBundle(bytes, { ...options, known: [{ size: 100, root: story.root(7) }] });
    expect(detailOf(report, 'consistency')).toContain('cut off');
    expect(report.verdict).toBe('failed');
  });
});
