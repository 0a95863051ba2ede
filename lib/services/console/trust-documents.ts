import { changedTrustRoot, type TrustRootChange } from '@/lib/authority/change-trust-root';
import { policyPayloadType, policyRevisionPayloadType, policyRevisionSchema } from '@/lib/authority/policy-revision';
import { policyStatementBytes } from '@/lib/authority/policy-statement';
import { rosterPayloadType, type Roster } from '@/lib/authority/roster';
import { rosterBytes, trustRootBytes, trustRootDigest } from '@/lib/authority/sign-documents';
import { trustRootPayloadType, type TrustRoot } from '@/lib/authority/trust-root';
import { neededPolicySigners, verifyPolicyRevision } from '@/lib/authority/verify-policy-revision';
import { verifyRoster } from '@/lib/authority/verify-roster';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { PolicyRow } from '@/lib/ports/authority-store';
import { parseEnvelope } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import { isDigest, type Digest } from '@/lib/shared/ids';
import { ok, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import { unproved } from './policy-base';
import type { SignedPart } from './set-up-documents';
import type { TrustBase } from './trust-base';

export const documentNames = ['trust_root', 'roster', 'policy', 'policy_revision'] as const;
export type DocumentName = (typeof documentNames)[number];

/** A document to be signed: under which root the signatures are counted, for what, and how many people are needed. */
export type DocumentNeed = { readonly part: SignedPart; readonly judge: TrustRoot; readonly purpose: 'root' | 'policy'; readonly needed: number };

export type TrustDocuments = {
  readonly root: TrustRoot;
  readonly digest: Digest;
  readonly needs: { readonly [Name in DocumentName]?: DocumentNeed };
  /** Set where the roster, or the policy, comes into force anew with the root. */
  readonly roster: Roster | null;
  readonly policy: { readonly row: PolicyRow; readonly digest: Digest; readonly revision: number } | null;
};

/**
 * The documents that a change of the root needs: the root itself, signed as the version before accepts, and, where their present
 * signatures would not do under it, the same roster and the same policy once more, signed as the next root asks. Without those the
 * change of an owner would leave a workspace whose roster nobody accepts.
 */
export async function trustDocuments(base: TrustBase, change: TrustRootChange, at: Timestamp, cryptography: Cryptography): Promise<Result<TrustDocuments>> {
  const { sha256 } = cryptography;
  const next = changedTrustRoot(base.root, change, { createdAt: at, sha256 });
  if (!next.ok) return next;
  return ok(await documentsUnder(base, next.value, at, cryptography));
}

export async function documentsUnder(base: TrustBase, root: TrustRoot, at: Timestamp, cryptography: Cryptography): Promise<TrustDocuments> {
  const digest = trustRootDigest(root, cryptography.sha256);
  const before = base.root;
  const needs: Partial<Record<DocumentName, DocumentNeed>> = {
    trust_root: { part: { payload_type: trustRootPayloadType, bytes: trustRootBytes(root) }, judge: before, purpose: 'root', needed: before.thresholds.root },
  };
  let roster: Roster | null = null;
  if (!(await verifyRoster(base.rosterEnvelope, root, cryptography)).ok) {
    const { roster: current, digest: previous } = base.roster;
    roster = { ...current, version: current.version + 1, previous, root_version: root.version, created_at: at };
    needs.roster = { part: { payload_type: rosterPayloadType, bytes: rosterBytes(roster) }, judge: root, purpose: 'policy', needed: root.thresholds.loosening };
  }
  const row = base.policy;
  let policy: TrustDocuments['policy'] = null;
  if (row && isDigest(row.digest) && !(await policyHolds(row, row.digest, root, cryptography))) {
    policy = { row, digest: row.digest, revision: row.revision + 1 };
    const needed = neededPolicySigners(root, unproved);
    const statement = policyStatementBytes({
      schema: policyRevisionSchema, workspace: root.workspace, revision: policy.revision, base_digest: row.digest, digest: row.digest, signed_at: at,
    });
    needs.policy = { part: { payload_type: policyPayloadType, bytes: utf8(row.text) }, judge: root, purpose: 'policy', needed };
    needs.policy_revision = { part: { payload_type: policyRevisionPayloadType, bytes: statement }, judge: root, purpose: 'policy', needed };
  }
  return { root, digest, needs, roster, policy };
}

async function policyHolds(row: PolicyRow, digest: Digest, root: TrustRoot, cryptography: Cryptography): Promise<boolean> {
  const signature = parseEnvelope(row.signature);
  const statement = parseEnvelope(row.statement);
  const stored = { bytes: utf8(row.text), digest, signature: signature.ok ? signature.value : null, apply: statement.ok ? statement.value : null };
  return (await verifyPolicyRevision(stored, root, unproved, cryptography)).ok;
}
