import { z } from 'zod';

import { boundedText, digestField, idField, timestampField } from '@/lib/shared/document-fields';
import { parseDocument } from '@/lib/shared/parse-document';
import type { Result } from '@/lib/shared/result';

import { nonceField, signatoryField } from './parse-signatory';
import { suppliedFactSchema, type SuppliedFact } from './supplied-fact';

/** Strict canonical JSON of a supplied fact. */
export const parseSuppliedFact = (bytes: Uint8Array): Result<SuppliedFact> => parseDocument(document, bytes, 16 * 1024);

const document: z.ZodType<SuppliedFact> = z.strictObject({
  schema: z.literal(suppliedFactSchema),
  session: idField('session'),
  deferral: idField('deferral'),
  subject: boundedText(2048),
  name: boundedText(200),
  source: z.string().regex(/^(?:requester|group:[A-Za-z0-9][A-Za-z0-9._-]{0,63})$/, { error: 'A person answers as requester or for a group.' }),
  value_digest: digestField.nullable(),
  nonce: nonceField,
  signer: signatoryField,
  signed_at: timestampField,
});
