import type { ServiceKey } from '@/lib/authority/trust-root';
import { fail, ok, type Result } from '@/lib/shared/result';

import { servicePublicKey } from './service-keys';

/** The receipt keys of console and plane as the first trust root delegates to them, from the log's beginning. */
export async function delegatedKeys(stateDirectory: string): Promise<Result<readonly ServiceKey[]>> {
  const [consoleKey, plane] = await Promise.all([servicePublicKey(stateDirectory, 'console'), servicePublicKey(stateDirectory, 'plane')]);
  if (!consoleKey || !plane) {
    return fail('unavailable', `The ${consoleKey ? 'plane' : 'console'} has not made its key yet.`, { fix: 'Start both processes on one state directory, then try again.' });
  }
  return ok([
    { key: consoleKey, role: 'console', from: 0 },
    { key: plane, role: 'plane', from: 0 },
  ]);
}
