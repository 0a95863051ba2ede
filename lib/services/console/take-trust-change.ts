import { serviceKeyAt } from '@/lib/authority/service-keys';
import { rosterDigest } from '@/lib/authority/sign-documents';
import { verifyNextPolicyRevision } from '@/lib/authority/verify-policy-revision';
import { verifyNextRoster } from '@/lib/authority/verify-roster';
import { recoveryNoticeSeconds, verifyTrustRootChain } from '@/lib/authority/verify-trust-root';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { Tx } from '@/lib/ports/transaction';
import { envelopeText, type Envelope } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import type { Digest, KeyId, PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { unproved } from './policy-base';
import { raiseEpoch } from './raise-epoch';
import type { TrustBase } from './trust-base';
import type { DocumentNeed, TrustDocuments } from './trust-documents';
import type { Envelopes } from './trust-signatures';

/** A change with all of its signatures. `recovery`: the recovery key signed the root, and its notice was proved to be over. */
export type Taking = {
  readonly recovery?: boolean;
  readonly base: TrustBase;
  readonly documents: TrustDocuments;
  readonly envelopes: Envelopes;
  readonly by: PersonId;
  readonly now: string;
  readonly position: number;
};

/** The same checks as every process makes before it acts on the documents; then, and not before, rows, receipts and epoch together. */
export async function takeIntoForce(parts: ConsoleParts, tx: Tx, taking: Taking): Promise<Result<null>> {
  const { documents, envelopes, now } = taking;
  const verified = await verifyTogether(parts, taking);
  if (!verified.ok) return verified;
  const receipts = await receiptsOf(parts, taking);
  const delegated = keepsOwnKey(parts, documents, taking.position, receipts.length);
  if (!delegated.ok) return delegated;
  const { trust_root, roster, policy, policy_revision } = envelopes;
  if (trust_root) await parts.authority.addTrustRoot(tx, { version: documents.root.version, envelope: envelopeText(trust_root) });
  if (documents.roster && roster) await parts.authority.addRoster(tx, { version: documents.roster.version, envelope: envelopeText(roster) });
  if (documents.policy && policy && policy_revision) {
    const { row, digest, revision } = documents.policy;
    const signed = { signature: envelopeText(policy), statement: envelopeText(policy_revision) };
    await parts.authority.addPolicy(tx, { revision, digest, text: row.text, format: row.format, ...signed, applied_by: taking.by, applied_at: now });
  }
  await parts.ledger.append(tx, receipts);
  await raiseEpoch(parts, tx);
  return ok(null);
}

async function verifyTogether({ cryptography }: ConsoleParts, { base, documents, envelopes, recovery = false }: Taking): Promise<Result<null>> {
  const { trust_root, roster, policy, policy_revision } = envelopes;
  if (!trust_root) return fail('signature_invalid', 'The trust root is not signed.');
  const isNoticed = (digest: Digest): boolean => base.recovered.has(digest) || (recovery && digest === documents.digest);
  const chain = await verifyTrustRootChain([...base.chain, trust_root], base.fingerprint, cryptography, (digest) => (isNoticed(digest) ? recoveryNoticeSeconds : undefined));
  if (!chain.ok) return chain;
  if (documents.roster) {
    const people = roster ? await verifyNextRoster(roster, documents.root, base.roster, cryptography) : fail('signature_invalid', 'The roster is not signed.');
    if (!people.ok) return people;
  }
  if (!documents.policy) return ok(null);
  if (!policy || !policy_revision) return fail('signature_invalid', 'The policy is not signed.');
  const { row, digest } = documents.policy;
  const stored = { bytes: utf8(row.text), digest, signature: policy, apply: policy_revision };
  const text = await verifyNextPolicyRevision(stored, documents.root, unproved, { revision: row.revision, digest }, cryptography);
  return text.ok ? ok(null) : text;
}

/**
 * A root counts from the receipt that brings it into force, and that receipt counts only when the new root delegates its key there. A
 * root that withdrew the key of the console that takes it in would never come into force, and everything would be denied.
 */
function keepsOwnKey({ signer }: Pick<ConsoleParts, 'signer'>, { root }: TrustDocuments, from: number, count: number): Result<null> {
  const positions = Array.from({ length: count }, (_, at) => from + at);
  if (positions.every((position) => serviceKeyAt(root, signer.keyId, position)?.role === 'console')) return ok(null);
  return fail('service_key_not_delegated', 'The next trust root withdraws the very key with which this console has to record it.', {
    fix: 'Give the console its successor key first (rotate), then withdraw the old one.',
  });
}

async function receiptsOf({ sign, cryptography }: ConsoleParts, { base, documents, envelopes, by: person, now, recovery = false }: Taking): Promise<readonly SignedReceipt[]> {
  const by = { kind: 'person', id: person } as const;
  const { root, roster, policy } = documents;
  const owners = signersOf(envelopes.trust_root, documents.needs.trust_root);
  const rootSigners = recovery ? [base.root.recovery.key.id] : owners;
  const receipts: SignedReceipt[] = [
    await sign('trust_root_changed', now, { version: root.version, digest: documents.digest, previous_digest: base.digest, signers: rootSigners }, { person }),
  ];
  if (roster) {
    const signers = signersOf(envelopes.roster, documents.needs.roster);
    const digest = rosterDigest(roster, cryptography.sha256);
    receipts.push(await sign('roster_changed', now, { version: roster.version, digest, previous_digest: base.roster.digest, signers }, { person }));
  }
  if (policy) {
    const signers = signersOf(envelopes.policy, documents.needs.policy);
    receipts.push(
      await sign(
        'policy_applied',
        now,
        {
          revision: policy.revision, digest: policy.digest, base_digest: policy.digest, signers, change: unproved,
          self_signed: root.owners.some((owner) => owner.person === person && signers.includes(owner.key.id)), origin: 'console', by,
        },
        { person, revision: policy.revision },
      ),
    );
  }
  return receipts;
}

/** Owners' keys that have signed: their signatures were checked, those of others are not counted and not named. */
const signersOf = (envelope: Envelope | undefined, need: DocumentNeed | undefined): readonly KeyId[] =>
  (need?.judge.owners ?? []).map(({ key }) => key.id).filter((id) => envelope?.signatures.some(({ keyid }) => keyid === id));
