/** Runs the work for each item, at most so many at once, and gives the results in the order of the items. The first failure is thrown. */
export async function inParallel<Item, Result>(items: readonly Item[], most: number, work: (item: Item, at: number) => Promise<Result>): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  const waiting = items.entries();
  const lane = async (): Promise<void> => {
    for (const [at, item] of waiting) results.set(at, await work(item, at));
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
  return [...results.entries()].sort(([a], [b]) => a - b).map(([, result]) => result);
}
