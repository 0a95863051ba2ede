import { parseTrustRoot } from '@/lib/authority/parse-trust-root';
import { storeBrowserKey } from '@/lib/client/browser-keys';
import { rememberRoot } from '@/lib/client/remembered-root';
import { signDocument } from '@/lib/client/sign-document';
import type { SigningKey } from '@/lib/client/signing-key';
import type { CompleteSetUpInput, SetUpDocuments } from '@/lib/contracts/console/set-up';
import type { Signer } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import { isDigest } from '@/lib/shared/ids';

type Signed = Pick<CompleteSetUpInput, 'trust_root' | 'roster' | 'policy' | 'policy_revision'>;

/**
 * Signs the four documents. The key is stored first: a trust root whose only owner's key was lost on the way would lock
 * everybody out, a stored key without a trust root does nothing.
 */
export async function signSetUp(documents: SetUpDocuments, owner: SigningKey, signer: Signer): Promise<Signed> {
  const root = parseTrustRoot(utf8(documents.trust_root.text));
  const person = root.ok ? root.value.owners[0]?.person : undefined;
  if (person === undefined) throw new TypeError('The trust root was read before and names an owner.');
  await storeBrowserKey({ ...owner, person });
  if (isDigest(documents.fingerprint)) rememberRoot(documents.fingerprint);
  return {
    trust_root: await signDocument(documents.trust_root, signer),
    roster: await signDocument(documents.roster, signer),
    policy: await signDocument(documents.policy, signer),
    policy_revision: await signDocument(documents.policy_revision, signer),
  };
}
