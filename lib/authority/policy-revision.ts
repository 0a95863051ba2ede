import type { Envelope } from '@/lib/shared/dsse';
import type { Digest, PersonId, ProposalId, WorkspaceId } from '@/lib/shared/ids';
import type { Timestamp } from '@/lib/shared/timestamp';

export const policyPayloadType = 'application/vnd.countersign.policy';
export const policyRevisionSchema = 'countersign/policy-revision/v1';
export const policyRevisionPayloadType = 'application/vnd.countersign.policy-revision';

/** What a change does to what agents can reach. Whatever is not proved to tighten needs the signatures of loosening. */
export const changeClasses = ['tighten', 'loosen', 'mixed', 'moved_authority', 'not_proved'] as const;
export type ChangeClass = (typeof changeClasses)[number];

/** Says which text is which revision, on top of which: without it an old signed text could be replayed as a new revision. */
export type PolicyRevisionStatement = {
  readonly schema: typeof policyRevisionSchema;
  readonly workspace: WorkspaceId;
  /** From 1. */
  readonly revision: number;
  /** Digest of the text that it replaces; null for the first. */
  readonly base_digest: Digest | null;
  /** SHA-256 of the exact policy bytes. */
  readonly digest: Digest;
  readonly class?: ChangeClass;
  /** The proposal that it was, and whose signatures do not count where two or more are asked for: whoever had a hand in proposing it. */
  readonly proposal?: ProposalId;
  readonly not_counted?: readonly PersonId[];
  readonly signed_at: Timestamp;
};

/** A revision as stored: exact bytes, their signatures, and the signed statement of their place. */
export type StoredRevision = {
  readonly bytes: Uint8Array;
  readonly digest: Digest;
  /** DSSE over the exact bytes (the `.sig.json` beside a policy file). Null: the row has none. */
  readonly signature: Envelope | null;
  /** DSSE over the canonical PolicyRevisionStatement. Null: the row has none. */
  readonly apply: Envelope | null;
};

export type RevisionReference = { readonly revision: number; readonly digest: Digest };

export type VerifiedRevision = {
  readonly bytes: Uint8Array;
  readonly statement: PolicyRevisionStatement;
  /** Owners whose signatures count, in the order of the trust root. */
  readonly signers: readonly PersonId[];
};
