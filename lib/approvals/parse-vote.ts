import { z } from 'zod';

import { bounds } from '@/lib/shared/bounds';
import { boundedText, digestField, idField, keyIdField, timestampField } from '@/lib/shared/document-fields';
import { keyKinds } from '@/lib/shared/keys';
import { parseDocument } from '@/lib/shared/parse-document';
import type { Result } from '@/lib/shared/result';

import { voteSchema, type VoteStatement } from './vote';

/** Strict canonical JSON of a vote statement. */
export const parseVote = (bytes: Uint8Array): Result<VoteStatement> => parseDocument(document, bytes, 16 * 1024);

const document: z.ZodType<VoteStatement> = z
  .strictObject({
    schema: z.literal(voteSchema),
    request: idField('approval'),
    basis_digest: digestField,
    view: z.strictObject({ digest: digestField, renderer: boundedText(64), locale: boundedText(35) }),
    verdict: z.enum(['approve', 'deny']),
    reason: boundedText(bounds.reasonText).optional(),
    checks: z.array(boundedText(64)).max(3),
    nonce: z.string().regex(/^[0-9a-f]{32}$/, { error: 'Expected 128 bits in lower-case hex.' }),
    voter: z.strictObject({ person: idField('person'), key: keyIdField, key_kind: z.enum(keyKinds) }),
    signed_at: timestampField,
  })
  .transform(({ reason, ...rest }) => (reason === undefined ? rest : { ...rest, reason }));
