import { expect, test } from 'vitest';

import { wholeStory, session } from '@/lib/testing/ledger-story';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '@/lib/testing/node-crypto';

import { gapsOf } from './gaps';
import { examineBundle } from './verify-bundle';

const gapsIn = async (choice: Parameters<Awaited<ReturnType<typeof wholeStory>>['bytes']>[0]) => {
  const story = await wholeStory();
  const { examined } = await examineBundle(await story.bytes(choice), { sha256, verifySignature });
  if (!examined) throw new Error('unreadable');
  return { gaps: gapsOf(examined.entries, examined.manifest), size: story.size };
};

test('a whole log has no gap', async () => {
  expect((await gapsIn({})).gaps).toEqual([]);
});

test('a range names what lies between its anchors and itself, and after it', async () => {
  const { gaps, size } = await gapsIn({ from: 5, to: 9 });
  expect(gaps).toEqual([{ from: 3, to: 5, where: 'inside' }, { from: 9, to: size, where: 'after' }]);
});

test('a session names every position that it leaves out, and nothing twice', async () => {
  const { gaps, size } = await gapsIn({ session });
  const left = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  const story = await wholeStory();
  const { examined } = await examineBundle(await story.bytes({ session }), { sha256, verifySignature });
  expect(left + (examined?.entries.length ?? 0)).toBe(size);
});
