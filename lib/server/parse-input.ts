import type { z } from 'zod';

import { fail, ok, type Issue, type Result } from '@/lib/shared/result';

/** Input from a browser or a URL by its schema. Failure: `invalid_input` with every place that is wrong. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, raw: unknown): Result<z.output<Schema>> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.map((issue): Issue => ({ path: issue.path.join('.'), message: issue.message }));
  return fail('invalid_input', issues[0]?.message ?? 'The input does not fit.', { issues });
}
