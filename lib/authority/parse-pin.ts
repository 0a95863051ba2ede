import { z } from 'zod';

import { countField, digestField } from '@/lib/shared/document-fields';
import { fail, ok, type Result } from '@/lib/shared/result';

import { pinSchema, type Pin } from './pins';

/** Reads `pin.json`. A damaged pin is `trust_root_unpinned`: it never counts as "nothing was served yet". */
export function parsePin(text: string): Result<Pin> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return fail('trust_root_unpinned', 'The pin is not JSON.', { cause });
  }
  const parsed = document.safeParse(value);
  return parsed.success ? ok(parsed.data) : fail('trust_root_unpinned', 'The pin cannot be read.', { cause: parsed.error });
}

const document: z.ZodType<Pin> = z.strictObject({
  schema: z.literal(pinSchema),
  root_fingerprint: digestField,
  root_version: countField(0),
  policy: z.strictObject({ revision: countField(1), digest: digestField }).nullable(),
  roster_version: countField(0),
  log: z.strictObject({ size: countField(0), root: digestField }).nullable(),
});
