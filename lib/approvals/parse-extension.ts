import { z } from 'zod';

import { digestField, idField, timestampField } from '@/lib/shared/document-fields';
import { parseDocument } from '@/lib/shared/parse-document';
import type { Result } from '@/lib/shared/result';

import { extensionSchema, type Extension } from './extension';

/** Strict canonical JSON of an extension. The signer's clock is read and decides nothing. */
export const parseExtension = (bytes: Uint8Array): Result<Extension> => parseDocument(document, bytes, 4 * 1024);

const document: z.ZodType<Extension> = z
  .strictObject({
    schema: z.literal(extensionSchema),
    request: idField('approval'),
    basis_digest: digestField,
    person: idField('person'),
    expires_at: timestampField,
    signed_at: timestampField,
  })
  .transform(({ schema: _schema, signed_at: _at, ...extension }) => extension);
