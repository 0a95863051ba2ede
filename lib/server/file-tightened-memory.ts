import path from 'node:path';
import { z } from 'zod';

import type { KeptTightened, TightenedMemory } from '@/lib/ports/tightened-memory';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { countField, digestField, idField, timestampField } from '@/lib/shared/document-fields';
import { fail, ok, type Result } from '@/lib/shared/result';

import { readIfThere, writeWhole } from './whole-file';

/** Beside the pins. */
const fileName = 'tightened.json';
const name = z.string().max(200);

const schema = z.strictObject({
  schema: z.literal('countersign/tightened/v1'),
  read: z.strictObject({ size: countField(0), root: digestField }),
  switches: z.array(
    z.strictObject({
      scope: z.enum(['all', 'agent', 'tool']), target: name, receipt: idField('receipt'), epoch: countField(0), by: name, at: timestampField, reason: z.string().max(4096), proven: z.boolean(),
    }),
  ),
  revoked: z.array(name),
  subjects: z.array(z.strictObject({ credential: name, subject: name })),
  keys: z.array(z.strictObject({ key: name, index: countField(0) })),
  agents: z.array(z.strictObject({ agent: name, at: timestampField, receipt: idField('receipt'), proven: z.boolean() })),
  registrants: z.array(z.strictObject({ agent: name, person: idField('person') })),
  people: z.array(
    z.strictObject({ person: idField('person'), suspended_at: timestampField.nullable(), restored: z.strictObject({ at: timestampField, roster_version: countField(0) }).nullable() }),
  ),
  grants: z.array(z.strictObject({ grant: idField('grant'), expires_at: timestampField, used: countField(0), ended: z.boolean() })),
  ended: z.array(z.strictObject({ id: name, at: timestampField })),
  proposals: z.array(z.strictObject({ proposal: idField('proposal'), turned_down: z.boolean() })),
  roots: z.array(z.strictObject({ digest: digestField, index: countField(0) })),
});

/**
 * What the processes of a state directory have read in the log of what was stopped. Each writes what it knows itself, whole and with the
 * position up to which it has read, so it does not matter whose file stays of two who write at once: whoever starts reads on from there.
 * It grows by what people stopped and did not release, never by what agents do.
 */
export function fileTightenedMemory(stateDirectory: string): TightenedMemory {
  const file = path.join(stateDirectory, fileName);
  const read = async (): Promise<Result<KeptTightened | undefined>> => {
    const text = await readIfThere(file);
    if (text === undefined) return ok(undefined);
    const parsed = schema.safeParse(jsonOf(text));
    if (!parsed.success) return fail('trust_root_unpinned', `${file} cannot be read.`, { fix: 'Restore it, or remove it: the log is then read from its beginning.', cause: parsed.error });
    const { schema: _schema, ...kept } = parsed.data;
    return ok(kept);
  };
  return {
    read,
    keep: async (kept, instead) => {
      const there = await read();
      const given = there.ok ? there.value?.read : undefined;
      const isGivenUp = given?.size === instead?.size && given?.root === instead?.root;
      if (given && given.size > kept.read.size && !isGivenUp) return;
      await writeWhole(file, `${canonicalJson(asJson({ schema: 'countersign/tightened/v1', ...kept }))}\n`, 0o600);
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
