import { expect, it } from 'vitest';

import { sharedLook } from './shared-look';

it('who asks during a look gets the one that follows, together with others who do; who takes any gets the one under way', async () => {
  const ends: ((seen: number) => void)[] = [];
  const look = sharedLook(() => new Promise<number>((resolve) => ends.push(resolve)));
  const first = look.again();
  const [second, third, any] = [look.again(), look.again(), look.now()];
  expect(ends).toHaveLength(1);
  ends[0]?.(1);
  expect([await first, await any]).toEqual([1, 1]);
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.(2);
  expect([await second, await third]).toEqual([2, 2]);
});

it('a look that fails leaves the next one to be made', async () => {
  let looks = 0;
  const look = sharedLook(async () => {
    looks += 1;
    if (looks === 1) throw new Error('The database is away.');
    return looks;
  });
  const [first, second] = [look.again(), look.again()];
  await expect(first).rejects.toThrow('away');
  expect(await second).toBe(2);
});
