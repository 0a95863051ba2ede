import type { z } from 'zod';

import { readCanonicalDocument } from './canonical-document';
import { fail, ok, type Issue, type Result } from './result';

/** Canonical bytes → a document of one schema. Every fault is `invalid_input` (or the byte reader's) with all its places. */
export function parseDocument<T>(schema: z.ZodType<T>, bytes: Uint8Array, maxBytes: number): Result<T> {
  const json = readCanonicalDocument(bytes, maxBytes);
  if (!json.ok) return json;
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.map((issue): Issue => ({ path: issue.path.join('.'), message: issue.message }));
  return fail('invalid_input', 'The document does not fit its schema.', { issues });
}
