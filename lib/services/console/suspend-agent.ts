import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { revokeGrantsOf } from '../grants/revoke-grant';
import { raiseEpoch } from './raise-epoch';
import { revocationReceipt } from './revocation-receipt';

/**
 * Suspends an agent and ends all its credentials and grants. The receipt is what every process goes by, so setting its row back brings nobody
 * back: an owner's signature does (`restore-agent.ts`). Failures: `not_found`.
 */
export async function suspendAgent(parts: ConsoleParts, by: PersonId, agent: string): Promise<Result<{ readonly agent: string }>> {
  // Read outside the lock. A credential made in between stays, and opens nothing: its agent is suspended.
  const credentials = (await parts.credentials.list()).filter((row) => row.kind === 'agent' && row.subject === agent);
  const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<{ readonly agent: string }>> => {
    if (!(await parts.credentials.suspendAgent(tx, agent, now))) return fail('not_found', 'There is no such agent.');
    const receipts: SignedReceipt[] = [];
    for (const row of credentials) {
      if (await parts.credentials.revoke(tx, row.id, now)) receipts.push(await revocationReceipt(parts, row, by, now));
    }
    // The receipt is about the agent; it is filed under its newest credential, or under none that exists where rows were taken away.
    const newest = [...credentials].sort((a, b) => (a.created_at < b.created_at ? 1 : -1))[0];
    const credential = newest?.id ?? parts.ids.make('credential');
    receipts.push(await parts.sign('credential_administered', now, { credential, kind: 'agent', subject: agent, change: 'suspended', by: { kind: 'person', id: by } }, { agent, person: by }));
    receipts.push(...(await revokeGrantsOf(parts, tx, agent, by, now)));
    await parts.ledger.append(tx, receipts);
    await raiseEpoch(parts, tx);
    return ok({ agent });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}
