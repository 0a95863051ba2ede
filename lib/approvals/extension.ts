import { canonicalBytes } from '@/lib/shared/canonical-json';
import { signEnvelope, type Envelope, type Signer } from '@/lib/shared/dsse';
import type { ApprovalId, Digest, PersonId } from '@/lib/shared/ids';
import type { Timestamp } from '@/lib/shared/timestamp';

export const extensionSchema = 'countersign/approval-extension/v1';
export const extensionPayloadType = 'application/vnd.countersign.approval-extension';

/** What an approver's key signs to move the end of a request. It never outlives twice the first time that it had. */
export type Extension = { readonly request: ApprovalId; readonly basis_digest: Digest; readonly person: PersonId; readonly expires_at: Timestamp };

/** The exact bytes that are signed (inside the DSSE pre-authentication encoding). `at` is the signer's clock. */
export const extensionBytes = (extension: Extension, at: Timestamp): Uint8Array => canonicalBytes({ ...extension, schema: extensionSchema, signed_at: at });

export const signExtension = (extension: Extension, at: Timestamp, signer: Signer): Promise<Envelope> =>
  signEnvelope(extensionPayloadType, extensionBytes(extension, at), [signer]);
