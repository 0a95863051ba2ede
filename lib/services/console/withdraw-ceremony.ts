import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';

/** Ends the collecting of signatures. Tightening: an owner's session is enough, and whoever wants the change starts it again. */
export async function withdrawCeremony(parts: ConsoleParts, digest: string): Promise<Result<{ readonly digest: string }>> {
  return await parts.transactor.withHead(async (tx, { now }) => {
    // A recovery is ended by whom the trust root lists, and by nobody else: `cancel-recovery.ts`.
    const row = await parts.ceremonies.find(digest, tx);
    if (row?.kind === 'recovery') return fail('forbidden', 'A recovery is cancelled, not withdrawn.');
    if (!(await parts.ceremonies.end(tx, digest, 'withdrawn', now))) return fail('not_found', 'No such change waits for signatures.');
    await parts.events.publish(tx, [{ kind: 'epoch_raised', id: parts.workspace }]);
    return ok({ digest });
  });
}
