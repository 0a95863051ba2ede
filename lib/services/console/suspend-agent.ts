import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { revokeGrantsOf } from '../grants/revoke-grant';
import { raiseEpoch } from './raise-epoch';
import { revocationReceipt } from './revocation-receipt';

/** Suspends an agent and ends all its credentials. It comes back under new ones only. Failures: `not_found`. */
export async function suspendAgent(parts: ConsoleParts, by: PersonId, agent: string): Promise<Result<{ readonly agent: string }>> {
  // Read outside the lock. A credential made in between stays, and opens nothing: its agent is suspended.
  const credentials = (await parts.credentials.list()).filter((row) => row.kind === 'agent' && row.subject === agent);
  const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<{ readonly agent: string }>> => {
    if (!(await parts.credentials.suspendAgent(tx, agent, now))) return fail('not_found', 'There is no such agent.');
    const receipts: SignedReceipt[] = [];
    for (const row of credentials) {
      if (await parts.credentials.revoke(tx, row.id, now)) receipts.push(await revocationReceipt(parts, row, by, now));
    }
    receipts.push(...(await revokeGrantsOf(parts, tx, agent, by, now)));
    await parts.ledger.append(tx, receipts);
    await raiseEpoch(parts, tx);
    return ok({ agent });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}
