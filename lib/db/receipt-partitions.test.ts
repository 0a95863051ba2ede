import { describe, expect, test } from 'vitest';

import { partitionLeaves as leaves, partitionsAtStart, partitionsFor } from './receipt-partitions';

describe('partitions to look to', () => {
  test.each<[string, number, number, number[], number[]]>([
    ['the first leaf of a log needs the first partition', 0, 64, [0], []],
    ['in the middle of a partition nothing is to be done', 64, 128, [], []],
    ['where the last quarter begins the next one is made', leaves * 0.75 - 1, leaves * 0.75 + 1, [], [1]],
    ['between two looks nothing is to be done', leaves * 0.75 + 1, leaves * 0.75 + 65, [], []],
    ['it is looked for again, in case it could not be made', leaves * 0.75 + 2 ** 14 - 1, leaves * 0.75 + 2 ** 14 + 1, [], [1]],
    ['the last leaf of a partition does not need the next one', leaves - 64, leaves, [], []],
    ['a batch that crosses a boundary needs what is behind it', leaves - 1, leaves + 1, [1], []],
    ['a batch that begins behind a boundary needs it too', leaves, leaves + 64, [1], []],
    ['a batch over several boundaries needs all of them', leaves - 1, 3 * leaves + 1, [1, 2, 3], []],
  ])('%s', (_what, from, to, needed, ahead) => {
    expect(partitionsFor(from, to)).toEqual({ needed, ahead });
  });

  test('at a start the current one is there, and near its end the next', () => {
    expect(partitionsAtStart(0).needed).toEqual([0]);
    expect(partitionsAtStart(leaves * 0.75).needed).toEqual([0, 1]);
    expect(partitionsAtStart(5 * leaves).needed).toEqual([5]);
  });

  test('whatever the batches, no leaf is appended without its partition', () => {
    const made = new Set<number>();
    for (let from = 0; from < 3 * leaves; from += 100_003) {
      const { needed, ahead } = partitionsFor(from, from + 100_003);
      for (const nr of [...needed, ...ahead]) made.add(nr);
      for (const leaf of [from, from + 100_002]) expect(made.has(Math.floor(leaf / leaves))).toBe(true);
    }
  });
});
