import { policyPayloadType, policyRevisionPayloadType } from '@/lib/authority/policy-revision';
import { signedByOwners } from '@/lib/authority/signed-by-owners';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { SignedRequest, SignRequestInput } from '@/lib/contracts/console/signing-requests';
import type { SigningRequestRow } from '@/lib/ports/signing-request-store';
import { envelopePayload, envelopeText, parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { bytesEqual, utf8 } from '@/lib/shared/encoding';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { applyRequested } from './apply-requested';
import type { ConsoleParts } from './console-parts';
import { authorityToBuildOn } from './roster-change-facts';
import { openSigningRequest, requestDigest } from './signing-request';

/**
 * An owner signs what a command laid down. Every signature is checked here against the trust root, again by what applies it, and again by
 * the command against its own bytes. Failures: `not_found`, `policy_altered`, `policy_signature_invalid`, `policy_signer_unknown`,
 * `key_kind_refused`, `conflict` when somebody signed at the same moment, and those of applying.
 */
export async function signRequest(parts: ConsoleParts, person: PersonId, input: SignRequestInput): Promise<Result<SignedRequest>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const found = await openSigningRequest(parts, input.link);
  if (!found.ok) return found;
  const row = found.value;
  const { root } = authority.value;
  const check = { root, person, verify: parts.cryptography.verify };
  const signature = await joined(row.signature, input.signature, { type: policyPayloadType, text: row.text }, check);
  if (!signature.ok) return signature;
  const placed = await placedIn(row, input.statement, check);
  if (!placed.ok) return placed;
  const digest = requestDigest(parts, input.link);
  const envelopes = { signature: envelopeText(signature.value), statement: placed.value && envelopeText(placed.value) };
  // Kept first: when what follows fails or this process ends, the owner's signature is not lost, and the next one goes on from it.
  if (!(await parts.signingRequests.signed(digest, row.version, { ...envelopes, done: envelopes.statement === null }))) return raced();
  if (envelopes.statement === null) return ok({ state: 'signed' });
  const applied = await applyRequested(parts, person, row, { signature: envelopes.signature, statement: envelopes.statement });
  if (!applied.ok) return applied.error.code === 'policy_signers_too_few' ? ok({ state: 'waiting' }) : applied;
  await parts.signingRequests.signed(digest, row.version + 1, { ...envelopes, done: true });
  return ok({ state: 'in_force', revision: applied.value.revision });
}

type Check = { readonly root: TrustRoot; readonly person: PersonId; readonly verify: ConsoleParts['cryptography']['verify'] };

async function placedIn({ place, statement }: SigningRequestRow, given: string | null, check: Check): Promise<Result<Envelope | null>> {
  if (place === null) return given === null ? ok(null) : fail('invalid_input', 'The text is to be signed alone.');
  if (given === null) return fail('policy_signature_missing', 'The place of the text is not signed.');
  return await joined(statement, given, { type: policyRevisionPayloadType, text: place }, check);
}

/** What was signed before and the new signature, which has to be this owner's and over these very bytes. */
async function joined(earlier: string | null, given: string, { type, text }: { readonly type: string; readonly text: string }, { root, person, verify }: Check): Promise<Result<Envelope>> {
  const fresh = parseEnvelope(given);
  if (!fresh.ok) return fresh;
  const payload = envelopePayload(fresh.value);
  if (fresh.value.payloadType !== type || !payload || !bytesEqual(payload, utf8(text))) return fail('policy_altered', 'Another text was signed than the command asked for.', { fix: 'Load the page again.' });
  const { people, invalid, kindRefused } = await signedByOwners(fresh.value, root, 'policy', verify);
  if (invalid) return fail('policy_signature_invalid', 'The signature does not verify.');
  if (!people.includes(person)) {
    return kindRefused ? fail('key_kind_refused', 'The trust root does not let this kind of key sign policies.') : fail('policy_signer_unknown', 'The key is no owner’s key of yours.', { fix: 'Sign with the key that the trust root lists for you.' });
  }
  const before = earlier === null ? null : parseEnvelope(earlier);
  if (before === null) return fresh;
  if (!before.ok) return before;
  const others = before.value.signatures.filter(({ keyid }) => !fresh.value.signatures.some((one) => one.keyid === keyid));
  return ok({ ...fresh.value, signatures: [...others, ...fresh.value.signatures] });
}

const raced = () => fail('conflict', 'Somebody signed at the same moment, or the time of the link is over.', { fix: 'Load the page again and sign what it shows.' });
