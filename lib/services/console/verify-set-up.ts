import { parseTrustRoot } from '@/lib/authority/parse-trust-root';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { verifyNextPolicyRevision } from '@/lib/authority/verify-policy-revision';
import { verifyNextRoster } from '@/lib/authority/verify-roster';
import { verifyTrustRootChain } from '@/lib/authority/verify-trust-root';
import type { PolicyFormat } from '@/lib/contracts/console/policies';
import type { CompleteSetUpInput } from '@/lib/contracts/console/set-up';
import { envelopePayload, parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { bytesEqual } from '@/lib/shared/encoding';
import type { Digest, PersonId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { policyGroups } from './policy-groups';
import { setUpDocuments, type SignedPart } from './set-up-documents';

/** How long the page may take between asking for the documents and sending them back signed. */
const signingTimeMs = 2 * 3600_000;

export type VerifiedSetUp = {
  readonly person: PersonId;
  readonly owner: PublicKeyEntry;
  readonly fingerprint: Digest;
  readonly rosterDigest: Digest;
  readonly policy: { readonly digest: Digest; readonly text: string; readonly format: PolicyFormat };
};

type Envelopes = { readonly root: Envelope; readonly roster: Envelope; readonly policy: Envelope; readonly revision: Envelope };
type Parts = Pick<ConsoleParts, 'workspace' | 'cryptography' | 'compile' | 'serviceKeys' | 'starterPolicy'>;

/**
 * What was signed must be what was prepared, byte for byte, and each signature must verify: a document of the signer's
 * own making would verify just as well. Failures: `trust_root_invalid`, `roster_invalid`, `policy_altered` and the policy's other codes.
 */
export async function verifySetUp(parts: Parts, input: CompleteSetUpInput, now: string): Promise<Result<VerifiedSetUp>> {
  const { cryptography } = parts;
  const envelopes = readEnvelopes(input);
  if (!envelopes.ok) return envelopes;
  const { root, roster, policy, revision } = envelopes.value;
  const stated = statedRoot(root, now);
  if (!stated.ok) return stated;
  const { owner, recovery, created_at } = stated.value;
  const starter = parts.starterPolicy(input.mode);
  const compiled = parts.compile(starter.text, starter.format);
  if (!compiled.ok) return compiled;
  const services = await parts.serviceKeys();
  if (!services.ok) return services;
  const documents = setUpDocuments(
    {
      workspace: parts.workspace,
      person: owner.person,
      name: input.name,
      email: input.email,
      groups: policyGroups(compiled.value),
      owner: owner.key,
      recovery: recovery.key,
      services: services.value,
      policyText: starter.text,
      at: created_at,
    },
    cryptography.sha256,
  );
  if (!holds(root, documents.root)) return fail('trust_root_invalid', 'The signed trust root is not the one that was prepared.');
  if (!holds(roster, documents.roster)) return fail('roster_invalid', 'The signed roster is not the one that was prepared.');
  if (!holds(policy, documents.policy) || !holds(revision, documents.revision)) {
    return fail('policy_altered', 'The signed policy is not the one that was prepared.');
  }
  const chain = await verifyTrustRootChain([root], documents.fingerprint, cryptography);
  if (!chain.ok) return chain;
  const people = await verifyNextRoster(roster, chain.value.root, null, cryptography);
  if (!people.ok) return people;
  const stored = { bytes: documents.policy.bytes, digest: documents.policyDigest, signature: policy, apply: revision };
  const first = await verifyNextPolicyRevision(stored, chain.value.root, 'not_proved', null, cryptography);
  if (!first.ok) return first;
  return ok({
    person: owner.person,
    owner: owner.key,
    fingerprint: documents.fingerprint,
    rosterDigest: people.value.digest,
    policy: { digest: documents.policyDigest, text: starter.text, format: starter.format },
  });
}

function readEnvelopes(input: CompleteSetUpInput): Result<Envelopes> {
  const root = parseEnvelope(input.trust_root);
  if (!root.ok) return root;
  const roster = parseEnvelope(input.roster);
  if (!roster.ok) return roster;
  const policy = parseEnvelope(input.policy);
  if (!policy.ok) return policy;
  const revision = parseEnvelope(input.policy_revision);
  if (!revision.ok) return revision;
  return ok({ root: root.value, roster: roster.value, policy: policy.value, revision: revision.value });
}

/** The facts that only the signed root carries: the person's id, both keys, the time. Everything else is computed again. */
function statedRoot(envelope: Envelope, now: string): Result<Pick<TrustRoot, 'recovery' | 'created_at'> & { readonly owner: TrustRoot['owners'][number] }> {
  const bytes = envelopePayload(envelope);
  const parsed = bytes && parseTrustRoot(bytes);
  if (!parsed?.ok) return fail('trust_root_invalid', 'The signed trust root cannot be read.', { cause: parsed?.error });
  const { owners, recovery, created_at } = parsed.value;
  const [owner] = owners;
  if (!owner) return fail('trust_root_invalid', 'The trust root names no owner.');
  const ageMs = Date.parse(now) - Date.parse(created_at);
  if (ageMs < 0 || ageMs > signingTimeMs) {
    return fail('trust_root_invalid', 'The documents were prepared too long ago.', { fix: 'Load the page again and sign anew.' });
  }
  return ok({ owner, recovery, created_at });
}

function holds(envelope: Envelope, part: SignedPart): boolean {
  const payload = envelopePayload(envelope);
  return envelope.payloadType === part.payload_type && payload !== undefined && bytesEqual(payload, part.bytes);
}
