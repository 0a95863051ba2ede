import type { RevokeGrantInput } from '@/lib/contracts/console/grants';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { Tx } from '@/lib/ports/transaction';
import type { GrantId, PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from '../console/console-parts';
import { raiseEpoch } from '../console/raise-epoch';

/**
 * Ends a grant: from this commit on nothing is permitted or redeemed on it. It only tightens, so it takes no signature. One that only waits
 * for signatures is given up, without a receipt: it never gave anything. Failures: `not_found`, `conflict`.
 */
export async function revokeGrant(parts: ConsoleParts, by: PersonId, { grant, reason }: RevokeGrantInput): Promise<Result<{ readonly grant: GrantId }>> {
  const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<{ readonly grant: GrantId }>> => {
    const row = (await parts.grants.find([grant], tx)).get(grant);
    // A row that was taken away must not keep a grant that the log tells of from being revoked.
    const logged = (await parts.inForce.current()).grants?.find(({ terms }) => terms.grant === grant);
    if (!row && !logged) return fail('not_found', 'There is no such grant.');
    const ended = row !== undefined && (await parts.grants.end(tx, grant, now));
    if (!ended && !logged) return fail('conflict', 'This grant has ended already.');
    if (!logged && row?.issued_at === null) return ok({ grant });
    await parts.ledger.append(tx, [await revocationOf(parts, { grant, agent: logged?.terms.agent ?? row?.agent ?? '', cause: 'revoked', reason, by }, now)]);
    await raiseEpoch(parts, tx);
    return ok({ grant });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}

type Revocation = { readonly grant: GrantId; readonly agent: string; readonly cause: ReceiptPredicate<'grant_revoked'>['cause']; readonly reason?: string; readonly by: PersonId };

export const revocationOf = (parts: Pick<ConsoleParts, 'sign'>, { grant, agent, cause, reason, by }: Revocation, now: string): Promise<SignedReceipt> =>
  parts.sign('grant_revoked', now, { grant, cause, ...(reason === undefined ? {} : { reason }), by: { kind: 'person', id: by } }, { person: by, agent });

/** Ends every grant of an agent that is suspended, within that transaction. Whoever takes it back to work gives it new ones. */
export async function revokeGrantsOf(parts: Pick<ConsoleParts, 'sign' | 'grants'>, tx: Tx, agent: string, by: PersonId, now: string): Promise<readonly SignedReceipt[]> {
  const receipts: SignedReceipt[] = [];
  for (const grant of await parts.grants.standingOf(tx, agent)) {
    if (await parts.grants.end(tx, grant, now)) receipts.push(await revocationOf(parts, { grant, agent, cause: 'agent_suspended', by }, now));
  }
  return receipts;
}
