import type { z } from 'zod';

import { fail, ok, type Issue, type Result } from '@/lib/shared/result';

/** No row can keep a NUL or half of a surrogate pair, and no search can look for one. */
const unstorable = /[\0\p{Cs}]/u;

/** Input from a browser or a URL by its schema. Failure: `invalid_input` with every place that is wrong. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, raw: unknown): Result<z.output<Schema>> {
  const at = unstorableAt(raw);
  if (at !== undefined) return fail('invalid_input', 'A text holds a NUL or a lone surrogate.', { issues: [{ path: at, message: 'A text holds a NUL or a lone surrogate.' }] });
  const parsed = schema.safeParse(raw);
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.map((issue): Issue => ({ path: issue.path.join('.'), message: issue.message }));
  return fail('invalid_input', issues[0]?.message ?? 'The input does not fit.', { issues });
}

/** The path of the first text that holds one; undefined for none. Only what JSON and search parameters can be made of is walked. */
function unstorableAt(raw: unknown): string | undefined {
  // What a server action is sent may refer to itself.
  const seen = new Set<object>();
  const pending: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: raw }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { path, value } = next;
    if (typeof value === 'string' && unstorable.test(value)) return path;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [name, inner] of Object.entries(value)) {
      if (unstorable.test(name)) return path;
      pending.push({ path: path === '' ? name : `${path}.${name}`, value: inner });
    }
  }
  return undefined;
}
