import { canonicalBytes } from '@/lib/shared/canonical-json';
import { signEnvelope, type Envelope, type Signer } from '@/lib/shared/dsse';
import type { DeferralId, Digest, SessionId } from '@/lib/shared/ids';
import type { Timestamp } from '@/lib/shared/timestamp';

import type { Signatory } from './signatory';

export const suppliedFactSchema = 'countersign/supplied-fact/v1';
export const suppliedFactPayloadType = 'application/vnd.countersign.supplied-fact';

/** What a person signs who answers what a deferred action waits for. The value lies apart: they sign its salted digest. */
export type SuppliedFact = {
  readonly schema: typeof suppliedFactSchema;
  readonly session: SessionId;
  /** The deferral that asked. A fact answers one question, once. */
  readonly deferral: DeferralId;
  readonly subject: string;
  readonly name: string;
  /** As the policy names who may say it: `requester`, `group:data-owner`. */
  readonly source: string;
  /** Null: they settle that there is none. */
  readonly value_digest: Digest | null;
  /** 128 random bits in lower-case hex. */
  readonly nonce: string;
  readonly signer: Signatory;
  /** The signer's clock. */
  readonly signed_at: Timestamp;
};

/** Sources that only a person's signature speaks for. */
export const isPersonsSource = (source: string): boolean => source === 'requester' || source.startsWith('group:');

/** The exact bytes that are signed (inside the DSSE pre-authentication encoding). */
export const suppliedFactBytes = (fact: SuppliedFact): Uint8Array => canonicalBytes({ ...fact });

export const signSuppliedFact = (fact: SuppliedFact, signer: Signer): Promise<Envelope> =>
  signEnvelope(suppliedFactPayloadType, suppliedFactBytes(fact), [signer]);
