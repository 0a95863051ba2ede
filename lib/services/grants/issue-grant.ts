import type { SignedGrant } from '@/lib/authority/verify-grant';
import type { Tx } from '@/lib/ports/transaction';
import type { Envelope } from '@/lib/shared/dsse';
import { keyId, type PersonId, type ProposalId, type ReceiptId } from '@/lib/shared/ids';

import type { ConsoleParts } from '../console/console-parts';
import { raiseEpoch } from '../console/raise-epoch';
import { revocationOf } from './revoke-grant';

export type IssuedGrant = { readonly signed: SignedGrant; readonly envelope: Envelope; readonly by: PersonId; readonly now: string; readonly proposal?: ProposalId };

/**
 * Writes down, within that transaction, that owners gave a grant: from its commit on every process counts with it. Whoever calls has verified the
 * signatures and stored the row. Gives the receipt's id.
 */
export async function issueGrant(parts: Pick<ConsoleParts, 'sign' | 'grants' | 'ledger' | 'transactor' | 'events' | 'workspace'>, tx: Tx, { signed: { terms, digest }, envelope, by, now, proposal }: IssuedGrant): Promise<ReceiptId> {
  const actor = { kind: 'person', id: by } as const;
  const signers = envelope.signatures.map(({ keyid }) => keyId(keyid));
  const receipt = await parts.sign(
    'grant_issued',
    now,
    { ...terms, digest, ...(proposal === undefined ? {} : { proposal }), signers, envelope, by: actor },
    { person: by, agent: terms.agent, tool: terms.tool, ...(terms.operation === null ? {} : { operation: terms.operation }) },
  );
  const receipts = [receipt];
  // The wider one ends in the same commit: there is no moment at which both stand.
  const { replaces } = terms;
  if (replaces !== undefined) {
    // Whoever calls has found the wider one in the log: it ends there, whether its row is to be found or not.
    await parts.grants.end(tx, replaces, now);
    receipts.push(await revocationOf(parts, { grant: replaces, agent: terms.agent, cause: 'replaced', by }, now));
  }
  await parts.ledger.append(tx, receipts);
  await raiseEpoch(parts, tx);
  return receipt.id;
}
