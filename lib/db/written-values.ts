import type { ChainedEntry } from '@/lib/context/entry';
import { keysOfWritten } from '@/lib/context/resources';
import { filterOf, textsAt, writtenBits } from '@/lib/context/written-values';
import type { SessionId } from '@/lib/shared/ids';

import { orNull, text } from './columns';
import { rows, statement, touched, type Queryable } from './statements';

const type = `bit(${String(writtenBits)})`;

const layDownBits = statement(
  'lay_down_written_values',
  `INSERT INTO "written_values" AS w ("workspace_id", "key", "bits")
     SELECT $1, r."key", bit_or(('x' || r."hex")::${type}) FROM unnest($2::text[], $3::text[]) AS r("key", "hex") GROUP BY r."key" ORDER BY r."key"
   ON CONFLICT ("workspace_id", "key") DO UPDATE SET "bits" = w."bits" | EXCLUDED."bits" WHERE (w."bits" | EXCLUDED."bits") <> w."bits"`,
);

const readBits = statement('read_written_values', `SELECT bit_or("bits")::text AS "bits" FROM "written_values" WHERE "workspace_id" = $1 AND "key" = ANY($2::text[])`);

/** Values that the entries wrote without their being trusted, by key. */
export function valuesLaidDown(entries: readonly (ChainedEntry & { readonly session: SessionId })[]): readonly { readonly key: string; readonly hex: string }[] {
  return entries.flatMap(({ entry }) => {
    const doubts = entry.kind === 'permit' ? (entry.writes?.doubts ?? []) : [];
    if (entry.kind !== 'permit' || doubts.length === 0) return [];
    const hex = filterOf(textsAt(entry.parameters, doubts));
    return [...new Set(entry.writes?.resources.flatMap(keysOfWritten))].map((key) => ({ key, hex }));
  });
}

export async function layDownValues(on: Queryable, workspace: string, entries: readonly (ChainedEntry & { readonly session: SessionId })[]): Promise<void> {
  const values = valuesLaidDown(entries);
  if (values.length > 0) await touched(on, layDownBits, [workspace, values.map(({ key }) => key), values.map(({ hex }) => hex)]);
}

export async function readWrittenValues(on: Queryable, workspace: string, keys: readonly string[]): Promise<string | null> {
  if (keys.length === 0) return null;
  return orNull(text)((await rows(on, readBits, [workspace, keys]))[0]?.['bits']);
}
