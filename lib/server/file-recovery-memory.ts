import path from 'node:path';
import { z } from 'zod';

import type { RecoveryMemory } from '@/lib/ports/recovery-memory';
import { joinedRecoveries } from '@/lib/services/joined-recoveries';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { countField, digestField, idField, timestampField } from '@/lib/shared/document-fields';
import { fail, ok, type Result } from '@/lib/shared/result';

import { readIfThere, writeWhole } from './whole-file';

/** Beside the pins. */
const fileName = 'recoveries.json';

const schema = z.strictObject({
  schema: z.literal('countersign/recoveries/v1'),
  seen: z.array(
    z.strictObject({
      index: countField(0), receipt: idField('receipt'), digest: digestField, version: countField(1), by: z.string().max(200), announced_at: timestampField, seen_at: timestampField, cancelled: z.boolean(),
    }),
  ),
});

/**
 * What the processes of a state directory have seen of recoveries. Every one of them looks as soon as something changes, so two may write at
 * once: the later one has then read the file before the earlier one wrote it, both saw the announcement within that moment, and a
 * cancellation that is lost so is seen again at the next look. The file is replaced whole, so a crash leaves the one before.
 */
export function fileRecoveryMemory(stateDirectory: string): RecoveryMemory {
  const file = path.join(stateDirectory, fileName);
  const read = async (): Promise<Result<z.output<typeof schema>['seen']>> => {
    const text = await readIfThere(file);
    if (text === undefined) return ok([]);
    const parsed = schema.safeParse(jsonOf(text));
    return parsed.success ? ok(parsed.data.seen) : fail('trust_root_unpinned', `${file} cannot be read.`, { fix: 'Restore it, or remove it: the day of notice then begins anew.' });
  };
  return {
    read,
    keep: async (seen) => {
      const kept = await read();
      if (!kept.ok) return;
      await writeWhole(file, `${canonicalJson(asJson({ schema: 'countersign/recoveries/v1', seen: joinedRecoveries(kept.value, seen) }))}\n`, 0o600);
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
