import { z } from 'zod';

import { emailSchema } from '@/lib/contracts/plane/common';
import { fail, ok, type Result } from '@/lib/shared/result';
import { parseStrictJson } from '@/lib/shared/strict-json';

const credential = z.object({ id: z.string().min(1).max(200), token: z.string().min(1).max(500) });

/** The shape of `demo.json`; what a replay does not need is not looked at. */
const credentials = z.object({
  people: z.array(z.object({ role: z.string(), email: emailSchema })).min(1),
  agents: z.array(credential).min(1),
  orchestrators: z.array(credential).min(1),
  enforcement_points: z.array(credential).min(1),
  information_points: z.array(credential).default([]),
});

export type ReplayCredentials = z.output<typeof credentials>;

/** Failures: `invalid_input`, naming each place. */
export function parseCredentials(text: string): Result<ReplayCredentials> {
  const json = parseStrictJson(text);
  if (!json.ok) return json;
  const parsed = credentials.safeParse(json.value);
  if (parsed.success) return ok(parsed.data);
  return fail('invalid_input', 'The credentials do not have the shape of demo.json.', {
    issues: parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  });
}
