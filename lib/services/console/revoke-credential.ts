import type { CredentialId, PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { raiseEpoch } from './raise-epoch';
import { revocationReceipt } from './revocation-receipt';

/** Ends one credential at once. Failures: `not_found`. */
export async function revokeCredential(parts: ConsoleParts, by: PersonId, id: CredentialId): Promise<Result<{ readonly credential: CredentialId }>> {
  const { revoked } = await parts.inForce.refresh();
  const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<{ readonly credential: CredentialId }>> => {
    const row = (await parts.credentials.find([id], tx)).get(id);
    // A row that says so without a receipt could be set back: then it is revoked now.
    if (!row || (row.revoked_at !== null && revoked.has(id))) return fail('not_found', 'There is no such live credential.');
    await parts.credentials.revoke(tx, id, now);
    await parts.ledger.append(tx, [await revocationReceipt(parts, row, by, now)]);
    await raiseEpoch(parts, tx);
    return ok({ credential: id });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}
