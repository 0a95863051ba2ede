import { ok, fail, type Result } from '@/lib/shared/result';

import { consoleRuntime, type ConsoleRuntime } from './console-runtime';
import { createLogger } from './logger';

/** The console's parts, or `unavailable` while the database cannot be reached: callers answer, they do not throw. */
export async function runtimeOrFault(): Promise<Result<ConsoleRuntime>> {
  try {
    return ok(await consoleRuntime());
  } catch (cause) {
    createLogger('console', { level: 'error' }).error('the console could not be joined together', { cause });
    return fail('unavailable', 'The database cannot be reached.', { fix: 'Try again in a moment.' });
  }
}
