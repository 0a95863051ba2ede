import type { ServiceKey } from '@/lib/authority/trust-root';
import { fail, ok, type Result } from '@/lib/shared/result';

import { servicePublicKey } from './service-keys';

/** The keys of console and plane, and of the key service that signs checkpoints where there is one, as the first trust root delegates to them, from the log's beginning. */
export async function delegatedKeys(stateDirectory: string): Promise<Result<readonly ServiceKey[]>> {
  const [consoleKey, plane, checkpoint] = await Promise.all([
    servicePublicKey(stateDirectory, 'console'), servicePublicKey(stateDirectory, 'plane'), servicePublicKey(stateDirectory, 'checkpoint'),
  ]);
  if (!consoleKey || !plane) {
    return fail('unavailable', `The ${consoleKey ? 'plane' : 'console'} has not made its key yet.`, { fix: 'Start both processes on one state directory, then try again.' });
  }
  return ok([
    { key: consoleKey, role: 'console', from: 0 },
    { key: plane, role: 'plane', from: 0 },
    ...(checkpoint ? [{ key: checkpoint, role: 'plane', from: 0 } as const] : []),
  ]);
}
