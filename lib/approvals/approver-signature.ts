import { verifiedSigners, type Envelope, type VerifySignature } from '@/lib/shared/dsse';
import { fromBase64 } from '@/lib/shared/encoding';
import type { PersonId } from '@/lib/shared/ids';
import type { Impact } from '@/lib/shared/impact';
import type { KeyKind } from '@/lib/shared/keys';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { Approver } from './vote';

export type ApproverSignatureContext = {
  /** The person as the roster in force lists them; undefined when it does not. */
  readonly approver: (person: PersonId) => Approver | undefined;
  /** Kinds of key that the trust root lets sign for this impact. */
  readonly keyKinds: readonly KeyKind[];
  readonly verify: VerifySignature;
};

/**
 * That exactly this person signed, with one key of their own that may. `says` is the key that the statement itself names, where
 * it names one. Refusals: `not_an_approver`, `key_not_enrolled`, `signature_invalid`, `key_kind_refused`.
 */
export async function signedByApprover(
  envelope: Envelope,
  signer: { readonly person: PersonId; readonly says?: { readonly key: string; readonly key_kind: KeyKind } },
  impact: Impact,
  { approver: find, keyKinds, verify }: ApproverSignatureContext,
): Promise<Result<{ readonly approver: Approver; readonly key: Approver['keys'][number] }>> {
  const approver = find(signer.person);
  if (!approver || approver.suspended) return fail('not_an_approver', 'The roster does not list you as an active person.');
  const named = signer.says?.key ?? envelope.signatures[0]?.keyid;
  const key = approver.keys.find(({ id }) => id === named);
  const publicKey = key && fromBase64(key.public_key);
  if (!key || !publicKey) return fail('key_not_enrolled', 'The roster does not list this key for you.');
  const signers = await verifiedSigners(envelope, new Map([[key.id, publicKey]]), verify);
  if (envelope.signatures.length !== 1 || !signers.has(key.id)) return fail('signature_invalid', 'The signature does not verify.');
  if (signer.says && key.kind !== signer.says.key_kind) return fail('signature_invalid', 'The statement names another kind of key than the roster.');
  if (!keyKinds.includes(key.kind)) {
    return fail('key_kind_refused', `The trust root does not let a ${key.kind} key approve ${impact} impact.`, { fix: 'Use a stronger key.' });
  }
  return ok({ approver, key });
}
