import { serviceKeyAt } from '@/lib/authority/service-keys';
import { rosterDigest } from '@/lib/authority/sign-documents';
import { verifyNextPolicyRevision } from '@/lib/authority/verify-policy-revision';
import { verifyNextRoster } from '@/lib/authority/verify-roster';
import { verifyTrustRootChain } from '@/lib/authority/verify-trust-root';
import type { SignTrustChangeInput, TrustChangeOutcome } from '@/lib/contracts/console/trust';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { Tx } from '@/lib/ports/transaction';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { envelopeText, type Envelope } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import type { KeyId, PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { unproved } from './policy-base';
import { raiseEpoch } from './raise-epoch';
import { moved, stillStands, trustBase, type TrustBase } from './trust-base';
import { documentNames, trustDocuments, type DocumentNeed, type TrustDocuments } from './trust-documents';
import { checkedEnvelopes, joined, keptEnvelopes, keptText, signedSoFar, wordOf, type Envelopes } from './trust-signatures';

/** How far the signer's or the database's clock may be ahead, milliseconds. */
const aheadMs = 5 * 60_000;
/** A change that nobody completed in this time is not taken up again, milliseconds. */
const longestMs = 30 * 86_400_000;

/**
 * Takes in owners' signatures on the documents of a change. When every document has enough of them, all come into force in one
 * transaction with their receipts; until then they wait. What counts is computed here from the change itself: a signature that was
 * collected for one change carries no other. Failures: `signature_invalid`, `forbidden`, `conflict`, `trust_root_invalid`.
 */
export async function signTrustChange(parts: ConsoleParts, by: PersonId, input: SignTrustChangeInput): Promise<Result<TrustChangeOutcome>> {
  const base = await trustBase(parts);
  if (!base.ok) return base;
  const ageMs = Date.parse(await parts.reads.now()) - Date.parse(input.at);
  if (ageMs < -aheadMs || ageMs > longestMs) return fail('conflict', 'These documents were prepared too long ago, or by a clock that is ahead.', { fix: 'Prepare the change again.' });
  const documents = await trustDocuments(base.value, input.change, input.at, parts.cryptography);
  if (!documents.ok) return documents;
  const given = await checkedEnvelopes(documents.value, input, parts.cryptography.verify);
  if (!given.ok) return given;
  const change = canonicalJson(asJson(input.change));
  const done = await parts.transactor.withHead(async (tx, { now, size }): Promise<Result<TrustChangeOutcome>> => {
    if (!(await stillStands(parts, base.value, tx))) return moved();
    const { digest } = documents.value;
    const row = await parts.ceremonies.find(digest, tx);
    if (row && row.state !== 'open') return fail('conflict', row.state === 'completed' ? 'This change is in force already.' : 'This change was withdrawn.');
    const envelopes = joined(documents.value, row ? keptEnvelopes(row.envelopes) : {}, given.value);
    const keep = async (): Promise<void> => {
      const text = keptText(envelopes);
      if (row) await parts.ceremonies.keep(tx, digest, text);
      else await parts.ceremonies.add(tx, { digest, kind: 'trust_root', change, envelopes: text, state: 'open', started_by: by, started_at: input.at });
    };
    const signed = await signedSoFar(documents.value, envelopes, parts.cryptography.verify);
    const lacks = documentNames.filter((name) => signed[name] && !signed[name].enough);
    const { version } = documents.value.root;
    if (lacks.length > 0) {
      await keep();
      // The epoch stays: nothing that decides has changed. Only other screens have something to show.
      await parts.events.publish(tx, [{ kind: 'epoch_raised', id: parts.workspace }]);
      return ok({ state: 'waiting', digest, version, lacks: lacks.map((name) => wordOf[name]) });
    }
    const taken = await takeIntoForce(parts, tx, { base: base.value, documents: documents.value, envelopes, by, now, position: Number(size) });
    if (!taken.ok) return taken;
    await keep();
    await parts.ceremonies.end(tx, digest, 'completed', now);
    // Another change that waits was made of the root that has just been replaced.
    for (const other of await parts.ceremonies.open(tx)) if (other.kind === 'trust_root') await parts.ceremonies.end(tx, other.digest, 'superseded', now);
    return ok({ state: 'in_force', digest, version });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}

type Taking = {
  readonly base: TrustBase;
  readonly documents: TrustDocuments;
  readonly envelopes: Envelopes;
  readonly by: PersonId;
  readonly now: string;
  readonly position: number;
};

/** The same checks as every process makes before it acts on the documents; then, and not before, rows, receipts and epoch together. */
async function takeIntoForce(parts: ConsoleParts, tx: Tx, taking: Taking): Promise<Result<null>> {
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

async function verifyTogether({ cryptography }: ConsoleParts, { base, documents, envelopes }: Taking): Promise<Result<null>> {
  const { trust_root, roster, policy, policy_revision } = envelopes;
  if (!trust_root) return fail('signature_invalid', 'The trust root is not signed.');
  const chain = await verifyTrustRootChain([...base.chain, trust_root], base.fingerprint, cryptography);
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

async function receiptsOf({ sign, cryptography }: ConsoleParts, { base, documents, envelopes, by: person, now }: Taking): Promise<readonly SignedReceipt[]> {
  const by = { kind: 'person', id: person } as const;
  const { root, roster, policy } = documents;
  const receipts: SignedReceipt[] = [
    await sign('trust_root_changed', now, { version: root.version, digest: documents.digest, previous_digest: base.digest, signers: signersOf(envelopes.trust_root, documents.needs.trust_root) }, { person }),
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
