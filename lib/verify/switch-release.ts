import { statementPayload, statementTypes } from '@/lib/authority/owner-statements';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';

import { faultOfOwners, holdsDocument } from './signed-document';

type Thrown = ReceiptPredicate<'switch_thrown'>;
type Released = Pick<Thrown, 'scope' | 'target' | 'envelope' | 'workspace'>;

/** Why a release does not count: it is an owner's word about exactly the throw that it ends, so an old one never releases a later throw. */
export async function faultOfRelease(release: Released, thrown: Pick<Thrown, 'receipt'>, root: TrustRoot | undefined, cryptography: Cryptography): Promise<string | undefined> {
  const { scope, target = null, envelope, workspace } = release;
  if (!envelope) return 'A switch was released without an owner’s signature.';
  const terms = { scope, target, thrown: thrown.receipt };
  if (!holdsDocument(envelope, statementTypes.switch_release, (at) => statementPayload('switch_release', workspace, terms, at))) {
    return 'The owner released another switch than the receipt states.';
  }
  return faultOfOwners(envelope, root, 1, cryptography);
}
