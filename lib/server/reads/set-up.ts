import type { SetUpState } from '@/lib/contracts/console/set-up';
import { setUpState } from '@/lib/services/console/set-up-link';
import { ok, type Result } from '@/lib/shared/result';

import { runtimeOrFault } from '../runtime-or-fault';

/** Whether this link opens set-up. For the page alone: there is no route that tells links apart. */
export async function readSetUp(link: string): Promise<Result<SetUpState>> {
  const runtime = await runtimeOrFault();
  if (!runtime.ok) return runtime;
  const { parts } = runtime.value;
  return ok(await setUpState({ ...parts, sha256: parts.cryptography.sha256 }, link.slice(0, 200), await parts.reads.now()));
}
