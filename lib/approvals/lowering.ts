import { canonicalBytes } from '@/lib/shared/canonical-json';
import { signEnvelope, type Envelope, type Signer } from '@/lib/shared/dsse';
import type { Digest, SessionId } from '@/lib/shared/ids';
import type { Timestamp } from '@/lib/shared/timestamp';

import type { Signatory } from './signatory';

export const loweringSchema = 'countersign/label-lowering/v1';
export const loweringPayloadType = 'application/vnd.countersign.label-lowering';

/**
 * What a person signs to lower one label of one session. It rests on the session's context at exactly this head: once anything more
 * was seen it is stale, and so it is used once at most.
 */
export type LoweringStatement = {
  readonly schema: typeof loweringSchema;
  readonly session: SessionId;
  readonly label: string;
  /** The lower level that takes its place; null for a tag, which goes. */
  readonly to: string | null;
  readonly context: { readonly head: Digest; readonly seq: number };
  readonly reason: string;
  /** 128 random bits in lower-case hex. */
  readonly nonce: string;
  readonly signer: Signatory;
  /** The signer's clock. */
  readonly signed_at: Timestamp;
};

/** The exact bytes that are signed (inside the DSSE pre-authentication encoding). */
export const loweringBytes = (statement: LoweringStatement): Uint8Array => canonicalBytes({ ...statement });

export const signLowering = (statement: LoweringStatement, signer: Signer): Promise<Envelope> =>
  signEnvelope(loweringPayloadType, loweringBytes(statement), [signer]);
