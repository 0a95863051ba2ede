import { fail, type Result } from '@/lib/shared/result';

/**
 * Runs at most so many of one kind of work at once in this process; what comes beyond is refused, not queued: each holds a file of
 * hundreds of megabytes, and a process without memory serves nobody. Failures: `overloaded`, and those of the work.
 */
export function fewAtOnce(most: number, what: string): <T>(work: () => Promise<Result<T>>) => Promise<Result<T>> {
  let running = 0;
  return async (work) => {
    if (running >= most) return fail('overloaded', `${what} Nothing was made.`, { fix: 'Try again in a minute.' });
    running++;
    try {
      return await work();
    } finally {
      running--;
    }
  };
}
