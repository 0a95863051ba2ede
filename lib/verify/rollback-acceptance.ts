import { statementPayload, statementTypes } from '@/lib/authority/owner-statements';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';

import { faultOfOwners, holdsDocument } from './signed-document';

/**
 * Why an accepted restore counts for nothing; undefined when an owner of the root in force, the one whom the receipt names, has signed
 * exactly what it states, and it is the first receipt behind the log that was found.
 */
export async function faultOfAcceptance(predicate: ReceiptPredicate<'rollback_accepted'>, index: number, root: TrustRoot | undefined, cryptography: Cryptography): Promise<string | undefined> {
  const { served, found, person, reason, envelope, workspace } = predicate;
  if (!holdsDocument(envelope, statementTypes.rollback_acceptance, (at) => statementPayload('rollback_acceptance', workspace, { served, found, reason }, at))) {
    return 'The owner accepted another restore than the receipt states.';
  }
  if (found.log.size !== index) return `The restored log had ${found.log.size} receipts, and this is position ${index}.`;
  if (root?.owners.some((owner) => owner.person === person && envelope.signatures.some(({ keyid }) => keyid === owner.key.id)) !== true) return 'A restore that no owner of that name accepted.';
  return await faultOfOwners(envelope, root, 1, cryptography);
}
