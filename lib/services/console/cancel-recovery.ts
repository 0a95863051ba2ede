import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { raiseEpoch } from './raise-epoch';

/** Ends an announced recovery for good. Tightening: an owner's session is enough. Failures: `forbidden`, `not_found`. */
export async function cancelRecovery(parts: ConsoleParts, by: PersonId, digest: string): Promise<Result<{ readonly digest: string }>> {
  const { root, recoveries = [] } = await parts.inForce.refresh();
  const recovery = recoveries.find((one) => one.digest === digest);
  if (!root || !recovery) return fail('not_found', 'No such recovery is announced.');
  if (!root.root.owners.some(({ person }) => person === by)) return fail('forbidden', 'Only an owner of the trust root in force cancels a recovery.');
  const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<{ readonly digest: string }>> => {
    // Under the lock: had it come into force meanwhile, there would be nothing to cancel.
    if ((await parts.authority.trustRoots(tx)).at(-1)?.version !== recovery.version - 1) return fail('conflict', 'The trust root has changed meanwhile.');
    await parts.ledger.append(tx, [await parts.sign('recovery_cancelled', now, { digest: recovery.digest, announced: recovery.receipt, by: { kind: 'person', id: by } }, { person: by })]);
    // Signatures that its new owners gave already.
    await parts.ceremonies.end(tx, recovery.digest, 'withdrawn', now);
    await raiseEpoch(parts, tx);
    return ok({ digest });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}
