import { expect, test } from 'vitest';

import { inParallel } from './in-parallel';

test('never more than so many at once, and the results in the order of the items', async () => {
  let running = 0;
  let most = 0;
  const release: (() => void)[] = [];
  const all = inParallel([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++running);
    // The second of each pair ends first.
    await new Promise<void>((resolve) => {
      release.push(resolve);
      if (release.length === 2 || item === 5) for (const go of release.splice(0).reverse()) go();
    });
    running--;
    return item * 10;
  });
  expect(await all).toEqual([10, 20, 30, 40, 50]);
  expect(most).toBe(2);
});

test('a failure is thrown', async () => {
  await expect(inParallel([1, 2], 2, async (item) => (item === 2 ? Promise.reject(new Error('no')) : item))).rejects.toThrow('no');
});

test('nothing to do is done', async () => {
  expect(await inParallel([], 4, async () => 1)).toEqual([]);
});
