import { envelopePayload, type Envelope } from '@/lib/shared/dsse';
import { bytesEqual, digestOf } from '@/lib/shared/encoding';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { signersThatCount } from './signers-that-count';
import {
  policyPayloadType, policyRevisionPayloadType,
  type ChangeClass, type PolicyRevisionStatement, type RevisionReference, type StoredRevision, type VerifiedRevision,
} from './policy-revision';
import { parsePolicyStatement } from './policy-statement';
import { signedByOwners } from './signed-by-owners';
import type { TrustRoot } from './trust-root';
import type { Cryptography } from './verify-trust-root';

/** Different owners that must sign a change of this class. Only what is proved to tighten gets by with `policy`. */
export const neededPolicySigners = ({ thresholds }: TrustRoot, change: ChangeClass): number =>
  change === 'tighten' ? thresholds.policy : Math.max(thresholds.policy, thresholds.loosening);

/**
 * Checks a stored revision before it is compiled. `change` is the class that this process computed itself from base and
 * new bytes; the class in the statement is never believed. Use only the bytes that come back.
 *
 * Refusals: `policy_signature_missing`, `policy_altered` (bytes, row digest and signed text disagree),
 * `policy_signature_invalid`, `key_kind_refused`, `policy_signer_unknown`, `policy_signers_too_few`.
 */
export async function verifyPolicyRevision(
  stored: StoredRevision,
  root: TrustRoot,
  change: ChangeClass,
  cryptography: Cryptography,
): Promise<Result<VerifiedRevision>> {
  const { bytes, signature, apply } = stored;
  if (!signature || !apply) return fail('policy_signature_missing', 'The policy has no signature.', { fix: 'Sign it with an owner key.' });
  const digest = digestOf(cryptography.sha256, bytes);
  if (digest !== stored.digest) return fail('policy_altered', 'The stored digest is not that of the stored text.');
  const signedText = signature.payloadType === policyPayloadType ? envelopePayload(signature) : undefined;
  if (!signedText) return fail('policy_signature_invalid', 'The signature is not one over a policy.');
  if (!bytesEqual(signedText, bytes)) return fail('policy_altered', 'The signed text is not the stored text.');
  const statement = readStatement(apply);
  if (!statement.ok) return statement;
  if (statement.value.workspace !== root.workspace) return fail('policy_signature_invalid', 'The revision was signed for another workspace.');
  if (statement.value.digest !== digest) return fail('policy_altered', 'The signed revision names another text.');
  // Both signatures must reach the threshold, by the same people: a text that one owner signed and a place in the
  // sequence that another signed is a revision that nobody signed.
  const text = await countedSigners(signature, root, change, cryptography);
  if (!text.ok) return text;
  const place = await countedSigners(apply, root, change, cryptography);
  if (!place.ok) return place;
  const signers = text.value.filter((person) => place.value.includes(person));
  const needed = neededPolicySigners(root, change);
  const counted = signersThatCount(signers, needed, statement.value.not_counted).length;
  if (counted < needed) return tooFew(counted, needed);
  return ok({ bytes, statement: statement.value, signers });
}

/**
 * Checks what `NAME.yaml.sig.json` says of a text, which has no place in the sequence yet. The owners whose signatures count come
 * back. Refusals: those of `verifyPolicyRevision`.
 */
export async function verifyPolicyText(
  bytes: Uint8Array,
  signature: Envelope,
  root: TrustRoot,
  change: ChangeClass,
  cryptography: Cryptography,
): Promise<Result<readonly PersonId[]>> {
  const signedText = signature.payloadType === policyPayloadType ? envelopePayload(signature) : undefined;
  if (!signedText) return fail('policy_signature_invalid', 'The signature is not one over a policy.');
  if (!bytesEqual(signedText, bytes)) return fail('policy_altered', 'The signed text is another than this one.', { fix: 'Restore the text that was signed, or sign this one.' });
  return await countedSigners(signature, root, change, cryptography);
}

/** The same for a revision that is to replace the one in force (null: none yet). Adds `policy_not_newer`, `policy_base_changed`. */
export async function verifyNextPolicyRevision(
  stored: StoredRevision,
  root: TrustRoot,
  change: ChangeClass,
  current: RevisionReference | null,
  cryptography: Cryptography,
): Promise<Result<VerifiedRevision>> {
  const revision = await verifyPolicyRevision(stored, root, change, cryptography);
  if (!revision.ok) return revision;
  const follows = followsRevision(revision.value.statement, current);
  return follows.ok ? revision : follows;
}

/** Revisions rise by one and name the text they were written on, so that no older one comes back and none is skipped unseen. */
export function followsRevision(statement: PolicyRevisionStatement, current: RevisionReference | null): Result<null> {
  const inForce = current?.revision ?? 0;
  if (statement.revision <= inForce) {
    return fail('policy_not_newer', `Revision ${statement.revision} does not rise above ${inForce}.`, { fix: 'Sign it again as the next revision.' });
  }
  if (statement.base_digest !== (current?.digest ?? null) || statement.revision !== inForce + 1) {
    return fail('policy_base_changed', `Revision ${statement.revision} was written on another text than the one in force.`, {
      fix: `Look at it again on top of revision ${inForce} and sign that.`,
    });
  }
  return ok(null);
}

function readStatement(apply: Envelope): Result<PolicyRevisionStatement> {
  const bytes = apply.payloadType === policyRevisionPayloadType ? envelopePayload(apply) : undefined;
  if (!bytes) return fail('policy_signature_invalid', 'The envelope does not hold a policy revision.');
  const parsed = parsePolicyStatement(bytes);
  return parsed.ok ? parsed : fail('policy_signature_invalid', 'The signed revision cannot be read.', { cause: parsed.error });
}

async function countedSigners(
  envelope: Envelope,
  root: TrustRoot,
  change: ChangeClass,
  { verify }: Cryptography,
): Promise<Result<readonly PersonId[]>> {
  const signed = await signedByOwners(envelope, root, 'policy', verify);
  const needed = neededPolicySigners(root, change);
  if (signed.invalid) return fail('policy_signature_invalid', 'A signature on the policy does not verify.');
  if (signed.people.length >= needed) return ok(signed.people);
  if (signed.kindRefused) return fail('key_kind_refused', 'The trust root does not let this kind of key sign policies.');
  if (signed.unknown) return fail('policy_signer_unknown', 'A key that signed the policy is no key of an owner.');
  return tooFew(signed.people.length, needed);
}

const tooFew = (given: number, needed: number) => fail('policy_signers_too_few', `${given} of ${needed} needed owners have signed the policy.`);
