import type { Envelope } from '@/lib/shared/dsse';
import type { ApprovalId, Digest, KeyId, PersonId } from '@/lib/shared/ids';
import type { KeyKind } from '@/lib/shared/keys';
import type { Timestamp } from '@/lib/shared/timestamp';

export const voteSchema = 'countersign/vote/v1';
export const votePayloadType = 'application/vnd.countersign.vote';

/** What an approver's key signs: this request, on this basis, seen in this view, with these checks judged. */
export type VoteStatement = {
  readonly schema: typeof voteSchema;
  readonly request: ApprovalId;
  readonly basis_digest: Digest;
  readonly view: { readonly digest: Digest; readonly renderer: string; readonly locale: string };
  readonly verdict: 'approve' | 'deny';
  readonly reason?: string;
  /** Ids of the checks that were ticked. */
  readonly checks: readonly string[];
  /** 128 random bits in lower-case hex. */
  readonly nonce: string;
  readonly voter: { readonly person: PersonId; readonly key: KeyId; readonly key_kind: KeyKind };
  /** The voter's clock; whether it came in time is judged by the database's. */
  readonly signed_at: Timestamp;
};

/** Denying needs only the session: no key, no envelope. */
export type Denial = {
  readonly request: ApprovalId;
  readonly person: PersonId;
  readonly code: GuidanceCode;
  /** Returned to the agent. Required. */
  readonly reason: string;
  readonly at: Timestamp;
};

export const guidanceCodes = ['wider_than_request', 'untrusted_value', 'cannot_be_undone', 'wrong_time_or_place', 'not_wanted', 'other'] as const;
export type GuidanceCode = (typeof guidanceCodes)[number];

/** A vote as stored. */
export type StoredVote =
  | { readonly verdict: 'approve'; readonly envelope: Envelope }
  | { readonly verdict: 'deny'; readonly denial: Denial };

/** A person as the signed roster lists them, with what a vote is checked against. */
export type Approver = {
  readonly id: PersonId;
  readonly email: string;
  readonly name: string;
  readonly groups: readonly string[];
  readonly keys: readonly { readonly id: KeyId; readonly kind: KeyKind; readonly public_key: string }[];
  readonly suspended?: boolean;
};
