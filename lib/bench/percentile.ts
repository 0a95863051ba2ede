/** The smallest of the values that so many of a hundred do not exceed. Throws without values: nothing was measured then. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const found = sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)];
  if (found === undefined) throw new RangeError('Nothing was measured.');
  return found;
}

export const median = (values: readonly number[]): number => percentile(values, 50);
