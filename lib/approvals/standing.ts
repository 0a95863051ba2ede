import { canonicalBytes } from '@/lib/shared/canonical-json';
import { signEnvelope, type Envelope, type Signer } from '@/lib/shared/dsse';
import type { ApprovalId, Digest, KeyId, PersonId, StandingId } from '@/lib/shared/ids';
import type { KeyKind } from '@/lib/shared/keys';
import type { Timestamp } from '@/lib/shared/timestamp';

export const standingSchema = 'countersign/standing-approval/v1';
export const standingPayloadType = 'application/vnd.countersign.standing-approval';

/**
 * What an approver's key signs: their approval of this request stands for a few more of exactly the same, for that rule only.
 * `arguments_digest` is the SHA-256 of the canonical JSON of the arguments that are fixed, sensitive ones sealed.
 */
export type StandingApproval = {
  readonly standing: StandingId;
  readonly request: ApprovalId;
  readonly voter: { readonly person: PersonId; readonly key: KeyId; readonly key_kind: KeyKind };
  readonly agent: string;
  readonly human: string;
  readonly tool: string;
  readonly operation: string;
  readonly rule: string;
  readonly arguments_digest: Digest;
  readonly policy_digest: Digest;
  /** Times it may be used, and until when. */
  readonly uses: number;
  readonly ends_at: Timestamp;
};

/** The exact bytes that are signed (inside the DSSE pre-authentication encoding). `at` is the signer's clock. */
export const standingBytes = (standing: StandingApproval, at: Timestamp): Uint8Array => canonicalBytes({ ...standing, schema: standingSchema, signed_at: at });

export const signStanding = (standing: StandingApproval, at: Timestamp, signer: Signer): Promise<Envelope> =>
  signEnvelope(standingPayloadType, standingBytes(standing, at), [signer]);
