import { z } from 'zod';

import { bounds } from '@/lib/shared/bounds';
import { boundedText, countField, digestField, idField, timestampField } from '@/lib/shared/document-fields';
import { parseDocument } from '@/lib/shared/parse-document';
import type { Result } from '@/lib/shared/result';

import { loweringSchema, type LoweringStatement } from './lowering';
import { nonceField, signatoryField } from './parse-signatory';

/** Strict canonical JSON of a lowering's statement. */
export const parseLowering = (bytes: Uint8Array): Result<LoweringStatement> => parseDocument(document, bytes, 32 * 1024);

export const labelField = z.string().regex(/^[A-Z][A-Z0-9_]{0,39}$/, { error: 'A label is written in capitals.' });

const document: z.ZodType<LoweringStatement> = z.strictObject({
  schema: z.literal(loweringSchema),
  session: idField('session'),
  label: labelField,
  to: labelField.nullable(),
  context: z.strictObject({ head: digestField, seq: countField(1) }),
  reason: boundedText(bounds.reasonText).refine((text) => text.trim() === text, { error: 'Expected a reason without blanks around it.' }),
  nonce: nonceField,
  signer: signatoryField,
  signed_at: timestampField,
});
