import { z } from 'zod';

import { boundedText, digestField, idField, timestampField } from '@/lib/shared/document-fields';
import { parseDocument } from '@/lib/shared/parse-document';
import type { Result } from '@/lib/shared/result';

import { editSchema, type EditStatement } from './edit';
import { nonceField, signatoryField } from './parse-signatory';

/** As long as the words by which somebody asks back. */
export const editReasonLength = 1000;

/** Strict canonical JSON of an edit's statement. */
export const parseEdit = (bytes: Uint8Array): Result<EditStatement> => parseDocument(document, bytes, 16 * 1024);

const document: z.ZodType<EditStatement> = z.strictObject({
  schema: z.literal(editSchema),
  request: idField('approval'),
  basis_digest: digestField,
  parameters_digest: digestField,
  reason: boundedText(editReasonLength).refine((text) => text.trim() === text, { error: 'Expected a reason without blanks around it.' }).exactOptional(),
  nonce: nonceField,
  signer: signatoryField,
  signed_at: timestampField,
});
