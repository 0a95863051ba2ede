import { canonicalBytes } from '@/lib/shared/canonical-json';
import { signEnvelope, type Envelope, type Signer } from '@/lib/shared/dsse';
import type { ApprovalId, Digest } from '@/lib/shared/ids';
import type { Timestamp } from '@/lib/shared/timestamp';

import type { Signatory } from './signatory';

export const editSchema = 'countersign/edit/v1';
export const editPayloadType = 'application/vnd.countersign.edit';

/**
 * What an approver signs to correct or narrow the parameters of a held action: this request, on this basis, with these parameters
 * instead. The tool and its operation stay. It approves nothing: what comes of it is for policy to decide, and for people.
 */
export type EditStatement = {
  readonly schema: typeof editSchema;
  readonly request: ApprovalId;
  readonly basis_digest: Digest;
  /** Content digest of the parameters, which lie apart. */
  readonly parameters_digest: Digest;
  /** For the agent and for those who decide next. Left out: none was given. */
  readonly reason?: string;
  /** 128 random bits in lower-case hex. */
  readonly nonce: string;
  readonly signer: Signatory;
  /** The signer's clock. */
  readonly signed_at: Timestamp;
};

/** The exact bytes that are signed (inside the DSSE pre-authentication encoding). */
export const editBytes = (statement: EditStatement): Uint8Array => canonicalBytes({ ...statement });

export const signEdit = (statement: EditStatement, signer: Signer): Promise<Envelope> => signEnvelope(editPayloadType, editBytes(statement), [signer]);
