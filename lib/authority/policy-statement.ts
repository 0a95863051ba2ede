import { z } from 'zod';

import { canonicalBytes } from '@/lib/shared/canonical-json';
import { countField, digestField, idField, timestampField } from '@/lib/shared/document-fields';
import { signEnvelope, type Envelope, type Signer } from '@/lib/shared/dsse';
import { parseDocument } from '@/lib/shared/parse-document';
import type { Result } from '@/lib/shared/result';

import { mostNotCounted } from './signers-that-count';
import { changeClasses, policyPayloadType, policyRevisionPayloadType, policyRevisionSchema, type PolicyRevisionStatement } from './policy-revision';

/** Signs the exact bytes of a policy file: what `NAME.yaml.sig.json` holds. */
export const signPolicy = (bytes: Uint8Array, signers: readonly Signer[]): Promise<Envelope> => signEnvelope(policyPayloadType, bytes, signers);

export const policyStatementBytes = (statement: PolicyRevisionStatement): Uint8Array => canonicalBytes({ ...statement });

/** Signs that a text becomes this revision on top of that base. */
export const signPolicyStatement = (statement: PolicyRevisionStatement, signers: readonly Signer[]): Promise<Envelope> =>
  signEnvelope(policyRevisionPayloadType, policyStatementBytes(statement), signers);

export const parsePolicyStatement = (bytes: Uint8Array): Result<PolicyRevisionStatement> => parseDocument(document, bytes, 4096);

const document: z.ZodType<PolicyRevisionStatement> = z.strictObject({
  schema: z.literal(policyRevisionSchema),
  workspace: idField('workspace'),
  revision: countField(1),
  base_digest: digestField.nullable(),
  digest: digestField,
  class: z.enum(changeClasses).exactOptional(),
  proposal: idField('proposal').exactOptional(),
  not_counted: z.array(idField('person')).max(mostNotCounted).exactOptional(),
  signed_at: timestampField,
});
