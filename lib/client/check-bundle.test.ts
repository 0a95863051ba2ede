import { beforeAll, describe, expect, it } from 'vitest';

import { bundleBytes } from '@/lib/ledger/bundle';
import { sealBundle } from '@/lib/ledger/bundle-manifest';
import { testKeys, testTime, testWorkspace } from '@/lib/testing/ledger-builder';
import { storyFingerprint, wholeStory } from '@/lib/testing/ledger-story';
import { nodeSha256 } from '@/lib/testing/node-crypto';

import { checkBundle } from './check-bundle';

let story: Awaited<ReturnType<typeof wholeStory>>;
let bytes: Uint8Array;
const trusted = { fingerprint: storyFingerprint, known: '' };

beforeAll(async () => {
  story = await wholeStory();
  bytes = await story.bytes();
});

async function swapped(a: number, b: number): Promise<Uint8Array> {
  const bundle = await story.bundle();
  const leaves = [...bundle.leaves];
  const [one, two] = [leaves[a], leaves[b]];
  if (!one || !two) throw new Error('The story is too short.');
  [leaves[a], leaves[b]] = [{ ...two, index: a }, { ...one, index: b }];
  const { schema: _schema, manifest: _manifest, ...parts } = { ...bundle, leaves };
  return bundleBytes(await sealBundle(nodeSha256, parts, { workspace: testWorkspace, range: { from: 0, to: leaves.length }, size: leaves.length, created_at: testTime(0), product_version: 'test' }, testKeys.console.signer));
}

describe('a bundle checked in a browser', () => {
  it('is summed up at a size that does not grow with it', async () => {
    const { checked } = await checkBundle(bytes, trusted);
    expect(checked).toMatchObject({ verdict: 'verified', receipts: story.size, failure: null, gapCount: 0, about: { workspace: testWorkspace } });
    expect(checked.pairing.map(({ verdict, count }) => [verdict, count])).toEqual([['completed', 2], ['denied', 1]]);
    expect(checked.rederived.why.reduce((sum, { count }) => sum + count, 0)).toBe(checked.rederived.cannot);
  });

  it('counts why decisions cannot be made again', async () => {
    const { checked } = await checkBundle(await story.bytes({ withhold: true }), trusted);
    expect(checked.rederived).toMatchObject({ reproduced: 0, differs: 0, cannot: 3, why: [{ why: 'withheld', count: 3 }] });
  });

  it('tells how far it is, to the end', async () => {
    const told: string[] = [];
    await checkBundle(bytes, trusted, (step, done, total) => told.push(`${step} ${done}/${total}`));
    expect(told).toEqual(['rederivation 3/3', `receipts ${story.size}/${story.size}`]);
  });

  it('names the first bad receipt, what was expected and found, and what to distrust', async () => {
    const { checked } = await checkBundle(await swapped(5, 6), trusted);
    expect(checked.verdict).toBe('failed');
    expect(checked.failure).toMatchObject({ check: { id: 'chain' }, line: { index: 5 } });
    expect(checked.failure?.expected).toMatch(/^[0-9a-f]{64}$/);
    expect(checked.failure?.found).not.toBe(checked.failure?.expected);
    expect(checked.failure?.distrust).toContain('order');
  });

  it('of another root says which one was expected and which one is there', async () => {
    const { checked } = await checkBundle(bytes, { fingerprint: '0'.repeat(64), known: '' });
    expect(checked.failure).toMatchObject({ check: { id: 'trust_root' }, expected: '0'.repeat(64), found: storyFingerprint });
  });

  it('that is torn opens nothing', async () => {
    const { checked, opened } = await checkBundle(bytes.slice(0, -7), trusted);
    expect(checked).toMatchObject({ verdict: 'unreadable', about: null, failure: { check: { id: 'decoding' } } });
    expect(opened).toBeNull();
  });
});

describe('an open bundle', () => {
  it('gives its receipts page by page, and only those asked for', async () => {
    const { opened } = await checkBundle(bytes, trusted);
    expect(opened?.linePage(2, 3, 'all').lines.map(({ index }) => index)).toEqual([2, 3, 4]);
    expect(opened?.linePage(0, 50, 'votes')).toMatchObject({ total: 1, lines: [{ kind: 'approval_voted', who: 'Approver', operation: 'email.send' }] });
    // The story's policy is none that compiles, so its decisions stay open.
    expect(opened?.linePage(0, 50, 'not_passed').lines.every(({ state }) => state !== 'pass')).toBe(true);
  });

  it('tells each action’s story with the people who voted', async () => {
    const { opened } = await checkBundle(bytes, trusted);
    expect(opened?.storyPage(0, 50, 'all').stories.map(({ decision, votes, permit, outcome }) => [decision, votes.map(({ person }) => person), permit, outcome])).toEqual([
      ['ALLOW', [], 'redeemed', 'succeeded'], ['STEP_UP', ['Approver'], 'redeemed', 'succeeded'], ['DENY', [], 'none', null],
    ]);
    expect(opened?.storyPage(0, 50, 'broken').total).toBe(0);
  });

  it('checks a single receipt itself, after the first bad one too', async () => {
    const { opened } = await checkBundle(await swapped(5, 6), trusted);
    const [bad, later] = [await opened?.receipt(5), await opened?.receipt(9)];
    expect(bad?.verdicts.find(({ id }) => id === 'chain')?.state).toBe('fail');
    expect(later?.verdicts.find(({ id }) => id === 'receipts')?.state).toBe('pass');
    expect(later?.verdicts.find(({ id }) => id === 'chain')?.state).toBe('unknown');
    expect(await opened?.receipt(999)).toBeNull();
  });
});
