/**
 * Microseconds of the processor's time for one call of each item, on average: while somebody else has the processor, nothing counts.
 * A batch should take far longer than the few microseconds that reading the clock takes.
 */
export function usEach<T>(items: readonly T[], run: (item: T) => unknown): number {
  const start = process.cpuUsage();
  for (const item of items) run(item);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / items.length;
}

export const msOf = (run: () => unknown): number => usEach([null], run) / 1000;

/** The middle one: what the rest of the machine does falls on a few of many short batches, and not on this. */
export const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

/** To three significant digits: more would only be noise. */
export const rounded = (value: number): number => Number(value.toPrecision(3));
