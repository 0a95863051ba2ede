import { followsRevision, verifyPolicyRevision } from '@/lib/authority/verify-policy-revision';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { BundlePolicy } from '@/lib/ledger/bundle';
import { envelopePayload } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';
import type { Digest, PersonId } from '@/lib/shared/ids';

import { inForceAt, ofKind, type Entry } from './parse-entries';
import { failed, passed, type Check } from './report';
import { rootAt, type PlacedRoot } from './trust-history';

export type PlacedPolicy = { readonly index: number; readonly revision: number; readonly digest: Digest; readonly bytes: Uint8Array; /** People whose signatures the owners agreed not to count. */ readonly notCounted?: readonly string[]; /** Owners whose signatures verify. */ readonly signers?: readonly PersonId[] };

export type PolicyHistory = { readonly check: Check; readonly policies: readonly PlacedPolicy[] };

/** Every revision from the first on, signed by owners; and each decision names the one in force at its position. */
export async function readPolicyHistory(
  policies: readonly BundlePolicy[],
  entries: readonly Entry[],
  roots: readonly PlacedRoot[],
  cryptography: Cryptography,
): Promise<PolicyHistory> {
  const receipts = ofKind(entries, 'policy_applied');
  const placed: PlacedPolicy[] = [];
  const end = (check: Check): PolicyHistory => ({ check, policies: placed });
  for (const { signature, apply } of policies) {
    const bytes = envelopePayload(signature);
    if (!bytes) return end(failed('policies', 'A policy cannot be read.'));
    const digest = digestOf(cryptography.sha256, bytes);
    const before = placed.at(-1);
    // A rollback brings an old text back under a new revision, so the digest alone does not say which receipt is meant.
    const receipt = receipts.find(({ index, predicate }) => predicate.digest === digest && index > (before?.index ?? -1));
    const root = receipt && rootAt(roots, receipt.index);
    if (!receipt || !root) return end(failed('policies', 'A policy of the bundle never came into force.'));
    const change = receipt.predicate.change === 'tighten' ? 'tighten' : 'not_proved';
    const verified = await verifyPolicyRevision({ bytes, digest, signature, apply }, root, change, cryptography);
    if (!verified.ok) return end(failed('policies', verified.error.detail, receipt.index));
    const { statement, signers } = verified.value;
    const follows = followsRevision(statement, before ?? null);
    if (!follows.ok) return end(failed('policies', follows.error.detail, receipt.index));
    if (statement.revision !== receipt.predicate.revision) return end(failed('policies', 'The receipt names another revision than the owners signed.', receipt.index));
    placed.push({ index: receipt.index, revision: statement.revision, digest, bytes, notCounted: statement.not_counted ?? [], signers });
  }
  const stray = receipts.find(({ index }) => !placed.some((policy) => policy.index === index));
  if (stray) return end(failed('policies', `Revision ${stray.predicate.revision} came into force, but is not in the bundle.`, stray.index));
  for (const { index, predicate } of ofKind(entries, 'action_decided')) {
    const inForce = inForceAt(placed, index);
    const named = predicate.policy;
    if (named?.revision === inForce?.revision && named?.digest === inForce?.digest) continue;
    if (named === null && predicate.decision === 'DENY') continue;
    return end(failed('policies', 'The decision names another policy than the one in force.', index));
  }
  return end(passed('policies', placed.length === 1 ? 'One revision.' : `${placed.length} revisions.`));
}
