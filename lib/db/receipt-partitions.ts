import { rows, statement, type Queryable } from './statements';

/** Leaves of one partition. The same number stands in `make_receipt_partition`. */
export const partitionLeaves = 2 ** 20;

/** In the last quarter of a partition the next one is made, and looked for again every so many leaves. */
const quarter = partitionLeaves / 4;
const aheadEvery = 2 ** 14;

const makePartition = statement('make_receipt_partition', `SELECT make_receipt_partition($1, $2)`);
const makePartitionAhead = statement('make_receipt_partition_ahead', `SELECT make_receipt_partition_ahead($1, $2)`);

export type Partitions = { readonly needed: readonly number[]; readonly ahead: readonly number[] };

/**
 * Partitions to look to before leaves `from` to `to` (excluded) are appended. `needed`: a leaf of theirs is the first of its
 * partition, so without it nothing can be written. `ahead`: the next ones, while there is still time when that fails.
 */
export function partitionsFor(from: number, to: number): Partitions {
  const needed: number[] = [];
  for (let nr = Math.ceil(from / partitionLeaves); nr * partitionLeaves < to; nr++) needed.push(nr);
  const next = Math.floor((to - 1 + quarter) / partitionLeaves);
  const passed = Math.floor((to - 1) / aheadEvery) > Math.floor((from - 1) / aheadEvery);
  return { needed, ahead: passed && next > Math.floor((to - 1) / partitionLeaves) ? [next] : [] };
}

/**
 * Makes what is missing, in the caller's transaction. Every appending transaction asks, so that a boundary is never crossed
 * without a partition behind it, whatever happened to those that were to be made ahead.
 */
export async function makePartitions(on: Queryable, workspace: string, { needed, ahead }: Partitions): Promise<void> {
  await Promise.all([
    ...needed.map((nr) => rows(on, makePartition, [workspace, nr])),
    ...ahead.map((nr) => rows(on, makePartitionAhead, [workspace, nr])),
  ]);
}

/** For a log of this size: the partition that its next leaf goes to, and the one after when that is near. */
export const partitionsAtStart = (size: number): Partitions => {
  const current = Math.floor(size / partitionLeaves);
  const next = Math.floor((size + quarter) / partitionLeaves);
  return { needed: next > current ? [current, next] : [current], ahead: [] };
};
